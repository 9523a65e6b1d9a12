// Messengers play Opus in Ogg as a voice message, and some browsers record Opus in WebM alone. The packets are the
// same in both, so they are packed anew and not encoded again: RFC 6716 (Opus), RFC 7845 (Opus in Ogg), RFC 3533 (Ogg)
// and RFC 9559 (Matroska, of which WebM is a part).

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const TRACKS = 0x1654ae6b;
const TRACK = 0xae;
const BLOCK_GROUP = 0xa0;
const CODEC_PRIVATE = 0x63a2;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;
const OPENED: readonly number[] = [SEGMENT, CLUSTER, TRACKS, TRACK, BLOCK_GROUP];

const LACING = 0x06; // in the flags of a block: it has several frames
const FIRST = 0x02; // in the head of a page
const LAST = 0x04;
const MOST_SEGMENTS = 255; // of a page
const PAGE_SAMPLES = 48_000; // a page has about a second, so that a player can seek
const SERIAL = 1;

interface Opus {
  head: Uint8Array;
  packets: Uint8Array[];
}

/** Returns the Opus of a WebM recording in an Ogg file. Throws if it is not a recording of one Opus track. */
export function oggOf(webm: Uint8Array): Uint8Array<ArrayBuffer> {
  const { head, packets } = opusOf(webm);
  const pages = [page([head], 0, FIRST, 0), page([tags()], 0, 0, 1)];
  let waiting: Uint8Array[] = [];
  let [segments, samples, since] = [0, 0, 0];
  packets.forEach((packet, index) => {
    const needed = Math.floor(packet.length / 255) + 1;
    if (waiting.length > 0 && (segments + needed > MOST_SEGMENTS || samples - since >= PAGE_SAMPLES)) {
      pages.push(page(waiting, samples, 0, pages.length));
      [waiting, segments, since] = [[], 0, samples];
    }
    waiting.push(packet);
    segments += needed;
    samples += samplesOf(packet);
    if (index === packets.length - 1) pages.push(page(waiting, samples, LAST, pages.length));
  });
  return joined(pages);
}

/** Reads the head and the packets. What a recorder writes as it goes has no sizes of its largest elements. */
function opusOf(webm: Uint8Array): Opus {
  let head: Uint8Array | null = null;
  const packets: Uint8Array[] = [];
  let at = 0;
  while (at < webm.length) {
    const id = numberAt(webm, at, false);
    const size = numberAt(webm, at + id.length, true);
    at += id.length + size.length;
    if (OPENED.includes(id.value)) continue;
    if (!Number.isFinite(size.value) || at + size.value > webm.length) break; // the recording was cut here
    const content = webm.subarray(at, at + size.value);
    if (id.value === CODEC_PRIVATE) head ??= content;
    if (id.value === SIMPLE_BLOCK || id.value === BLOCK) packets.push(packetOf(content));
    at += size.value;
  }
  if (!head || head.length < 19 || ascii(head.subarray(0, 8)) !== "OpusHead" || packets.length === 0)
    throw new Error("This is not a recording of Opus.");
  return { head, packets };
}

/** A number of Matroska: the zeros before its first bit say how many bytes it has. All ones is an unknown size. */
function numberAt(bytes: Uint8Array, at: number, isSize: boolean): { value: number; length: number } {
  const first = bytes[at] ?? 0;
  const length = Math.clz32(first) - 23;
  if (length > 8 || at + length > bytes.length) throw new Error("This is not a WebM file.");
  let value = isSize ? first & (0xff >> length) : first;
  let unknown = isSize && value === 0xff >> length;
  for (let index = 1; index < length; index += 1) {
    const next = bytes[at + index] ?? 0;
    value = value * 256 + next;
    unknown &&= next === 0xff;
  }
  return { value: unknown ? Infinity : value, length };
}

/** The packet of a block, after the number of its track, its time (two bytes) and its flags. */
function packetOf(block: Uint8Array): Uint8Array {
  const start = numberAt(block, 0, true).length + 3;
  if ((block[start - 1] ?? 0) & LACING) throw new Error("A block has several packets.");
  return block.subarray(start);
}

/** How long a packet is, in samples of 48 kHz (RFC 6716, section 3.1). */
function samplesOf(packet: Uint8Array): number {
  const first = packet[0] ?? 0;
  const config = first >> 3;
  const frame =
    config < 12
      ? ([480, 960, 1920, 2880][config & 3] ?? 0)
      : config < 16
        ? ([480, 960][config & 1] ?? 0)
        : ([120, 240, 480, 960][config & 3] ?? 0);
  const code = first & 3;
  return frame * (code === 0 ? 1 : code === 3 ? (packet[1] ?? 0) & 63 : 2);
}

function tags(): Uint8Array {
  const name = new TextEncoder().encode("Postern");
  const result = new Uint8Array(16 + name.length);
  result.set(new TextEncoder().encode("OpusTags"));
  new DataView(result.buffer).setUint32(8, name.length, true);
  result.set(name, 12); // and no comments after it
  return result;
}

/** A page of whole packets, of which the last one ends at `samples`. */
function page(packets: readonly Uint8Array[], samples: number, flags: number, sequence: number): Uint8Array {
  const lengths = packets.flatMap(({ length }) => [
    ...Array<number>(Math.floor(length / 255)).fill(255),
    length % 255,
  ]);
  const head = new Uint8Array(27 + lengths.length);
  const view = new DataView(head.buffer);
  head.set(new TextEncoder().encode("OggS"));
  head[5] = flags;
  view.setBigUint64(6, BigInt(samples), true);
  view.setUint32(14, SERIAL, true);
  view.setUint32(18, sequence, true);
  head[26] = lengths.length;
  head.set(lengths, 27);
  const whole = joined([head, ...packets]);
  new DataView(whole.buffer).setUint32(22, checksum(whole), true);
  return whole;
}

/** The checksum of a page, whose own field is zero: CRC-32 with the polynomial 0x04c11db7, not reflected. */
function checksum(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return crc >>> 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
