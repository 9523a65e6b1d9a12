// Submits a mail with nodemailer, as its documentation shows it, and prints what it says.
import nodemailer from 'nodemailer';

const { PORT, SECURE, TOKEN, CA, AUTH } = process.env;
const transport = nodemailer.createTransport({
  host: '127.0.0.1',
  port: Number(PORT),
  secure: SECURE === '1',
  requireTLS: true,
  auth: { user: 'shop', pass: TOKEN },
  authMethod: AUTH || undefined,
  tls: { ca: (await import('node:fs')).readFileSync(CA) },
});
try {
  const answer = await transport.sendMail({
    from: 'Shop <orders@shop.example>',
    to: ['anna@example.com', 'ben@example.com'],
    bcc: 'carl@example.com',
    messageId: '<nodemailer-1@shop.example>',
    subject: 'Grüße vom Shop',
    text: 'Danke für die Bestellung.',
    html: '<p>Danke</p><img src="cid:logo">',
    attachments: [
      { filename: 'logo.png', content: Buffer.from('89504e47', 'hex'), cid: 'logo' },
      { filename: 'Rechnung ä.txt', content: 'x'.repeat(100000) },
    ],
    icalEvent: { method: 'REQUEST', content: 'BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n' },
  });
  console.log(JSON.stringify({ accepted: answer.accepted, rejected: answer.rejected, response: answer.response }));
} catch (error) {
  console.log(JSON.stringify({ error: error.responseCode ?? error.message }));
}
