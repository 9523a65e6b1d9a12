"""The texts of messages with a code and of the page on which it is entered, in each language that they support."""

from typing import NamedTuple

from shapes.locales import language_of


class CodeWords(NamedTuple):
    """The texts. Those of messages are templates; `{left}` and `{seconds}` are numbers, `{to}` is a masked address."""

    language: str
    sms: str
    mail: str
    title: str
    sent_to: str
    label: str
    button: str
    wrong: str
    resend: str
    wait: str
    resent: str
    not_sent: str
    approved: str
    expired: str
    too_many: str
    canceled: str
    back: str


# fmt: off
_ALL = (
    CodeWords(
        "en", "Your code is {{ code }}. Don't share it.",
        "Your code is {{ code }}.\n\nDon't share it. If you did not ask for it, do nothing.\n",
        "Your code", "We have sent a code to {to}.", "Code", "Confirm", "This is not the code. Tries left: {left}.",
        "Send the code again", "You can have it sent again in {seconds} s.", "The code was sent again.",
        "The code can't be sent now. Try again later.", "Thank you. The code is right.",
        "The code has expired. Go back and ask for a new one.",
        "Too many wrong codes. Go back and ask for a new one.", "This code was canceled.", "Back"),
    CodeWords(
        "de", "Ihr Code ist {{ code }}. Geben Sie ihn nicht weiter.",
        "Ihr Code ist {{ code }}.\n\nGeben Sie ihn nicht weiter. Wenn Sie ihn nicht angefordert haben, tun Sie "
        "nichts.\n",
        "Ihr Code", "Wir haben einen Code an {to} gesendet.", "Code", "Bestätigen",
        "Das ist nicht der Code. Verbleibende Versuche: {left}.", "Code erneut senden",
        "Sie können ihn in {seconds} s erneut senden lassen.", "Der Code wurde erneut gesendet.",
        "Der Code kann jetzt nicht gesendet werden. Versuchen Sie es später.", "Vielen Dank. Der Code ist richtig.",
        "Der Code ist abgelaufen. Gehen Sie zurück und fordern Sie einen neuen an.",
        "Zu viele falsche Codes. Gehen Sie zurück und fordern Sie einen neuen an.", "Dieser Code wurde widerrufen.",
        "Zurück"),
    CodeWords(
        "es", "Su código es {{ code }}. No lo comparta.",
        "Su código es {{ code }}.\n\nNo lo comparta. Si no lo ha pedido, no haga nada.\n",
        "Su código", "Hemos enviado un código a {to}.", "Código", "Confirmar",
        "Ese no es el código. Intentos restantes: {left}.", "Enviar el código otra vez",
        "Puede pedirlo otra vez en {seconds} s.", "El código se ha enviado otra vez.",
        "El código no se puede enviar ahora. Inténtelo más tarde.", "Gracias. El código es correcto.",
        "El código ha caducado. Vuelva y pida uno nuevo.",
        "Demasiados códigos erróneos. Vuelva y pida uno nuevo.", "Este código se ha anulado.", "Volver"),
    CodeWords(
        "fr", "Votre code est {{ code }}. Ne le communiquez à personne.",
        "Votre code est {{ code }}.\n\nNe le communiquez à personne. Si vous ne l'avez pas demandé, ne faites rien.\n",
        "Votre code", "Nous avons envoyé un code à {to}.", "Code", "Confirmer",
        "Ce n'est pas le bon code. Essais restants : {left}.", "Renvoyer le code",
        "Vous pourrez le redemander dans {seconds} s.", "Le code a été renvoyé.",
        "Le code ne peut pas être envoyé maintenant. Réessayez plus tard.", "Merci. Le code est correct.",
        "Le code a expiré. Revenez en arrière et demandez-en un nouveau.",
        "Trop de codes erronés. Revenez en arrière et demandez-en un nouveau.", "Ce code a été annulé.", "Retour"),
    CodeWords(
        "it", "Il tuo codice è {{ code }}. Non condividerlo.",
        "Il tuo codice è {{ code }}.\n\nNon condividerlo. Se non l'hai chiesto, non fare nulla.\n",
        "Il tuo codice", "Abbiamo inviato un codice a {to}.", "Codice", "Conferma",
        "Non è il codice giusto. Tentativi rimasti: {left}.", "Invia di nuovo il codice",
        "Puoi chiederlo di nuovo tra {seconds} s.", "Il codice è stato inviato di nuovo.",
        "Ora non è possibile inviare il codice. Riprova più tardi.", "Grazie. Il codice è giusto.",
        "Il codice è scaduto. Torna indietro e chiedine uno nuovo.",
        "Troppi codici sbagliati. Torna indietro e chiedine uno nuovo.", "Questo codice è stato annullato.",
        "Indietro"),
    CodeWords(
        "nl", "Uw code is {{ code }}. Deel hem met niemand.",
        "Uw code is {{ code }}.\n\nDeel hem met niemand. Hebt u er niet om gevraagd, doe dan niets.\n",
        "Uw code", "We hebben een code naar {to} gestuurd.", "Code", "Bevestigen",
        "Dit is niet de code. Resterende pogingen: {left}.", "Code opnieuw sturen",
        "Over {seconds} s kunt u er opnieuw om vragen.", "De code is opnieuw gestuurd.",
        "De code kan nu niet worden gestuurd. Probeer het later.", "Bedankt. De code klopt.",
        "De code is verlopen. Ga terug en vraag een nieuwe aan.",
        "Te veel verkeerde codes. Ga terug en vraag een nieuwe aan.", "Deze code is ingetrokken.", "Terug"),
    CodeWords(
        "pl", "Twój kod to {{ code }}. Nie udostępniaj go.",
        "Twój kod to {{ code }}.\n\nNie udostępniaj go. Jeśli to nie Ty o niego prosisz, nic nie rób.\n",
        "Twój kod", "Wysłaliśmy kod na {to}.", "Kod", "Potwierdź", "To nie ten kod. Pozostałe próby: {left}.",
        "Wyślij kod ponownie", "Możesz poprosić o niego ponownie za {seconds} s.", "Kod został wysłany ponownie.",
        "Teraz nie można wysłać kodu. Spróbuj później.", "Dziękujemy. Kod jest poprawny.",
        "Kod stracił ważność. Wróć i poproś o nowy.", "Zbyt wiele błędnych kodów. Wróć i poproś o nowy.",
        "Ten kod został anulowany.", "Wróć"),
    CodeWords(
        "pt", "O seu código é {{ code }}. Não o partilhe.",
        "O seu código é {{ code }}.\n\nNão o partilhe. Se não o pediu, não faça nada.\n",
        "O seu código", "Enviámos um código para {to}.", "Código", "Confirmar",
        "Este não é o código. Tentativas restantes: {left}.", "Enviar o código outra vez",
        "Pode pedi-lo outra vez dentro de {seconds} s.", "O código foi enviado outra vez.",
        "O código não pode ser enviado agora. Tente mais tarde.", "Obrigado. O código está certo.",
        "O código expirou. Volte atrás e peça um novo.", "Demasiados códigos errados. Volte atrás e peça um novo.",
        "Este código foi anulado.", "Voltar"),
    CodeWords(
        "ru", "Ваш код: {{ code }}. Никому его не сообщайте.",
        "Ваш код: {{ code }}.\n\nНикому его не сообщайте. Если вы его не запрашивали, ничего не делайте.\n",
        "Ваш код", "Мы отправили код на {to}.", "Код", "Подтвердить", "Это не тот код. Осталось попыток: {left}.",
        "Отправить код ещё раз", "Запросить его снова можно через {seconds} с.", "Код отправлен ещё раз.",
        "Сейчас код нельзя отправить. Попробуйте позже.", "Спасибо. Код верный.",
        "Срок действия кода истёк. Вернитесь и запросите новый.",
        "Слишком много неверных кодов. Вернитесь и запросите новый.", "Этот код отменён.", "Назад"),
    CodeWords(
        "uk", "Ваш код: {{ code }}. Нікому його не повідомляйте.",
        "Ваш код: {{ code }}.\n\nНікому його не повідомляйте. Якщо ви його не запитували, нічого не робіть.\n",
        "Ваш код", "Ми надіслали код на {to}.", "Код", "Підтвердити", "Це не той код. Залишилося спроб: {left}.",
        "Надіслати код ще раз", "Запитати його знову можна через {seconds} с.", "Код надіслано ще раз.",
        "Зараз код неможливо надіслати. Спробуйте пізніше.", "Дякуємо. Код правильний.",
        "Термін дії коду минув. Поверніться та запитайте новий.",
        "Забагато неправильних кодів. Поверніться та запитайте новий.", "Цей код скасовано.", "Назад"),
    CodeWords(
        "ar", "رمزك هو {{ code }}. لا تشاركه مع أحد.",
        "رمزك هو {{ code }}.\n\nلا تشاركه مع أحد. إن لم تطلبه فلا تفعل شيئًا.\n",
        "رمزك", "أرسلنا رمزًا إلى {to}.", "الرمز", "تأكيد", "هذا ليس الرمز. المحاولات المتبقية: {left}.",
        "إرسال الرمز مرة أخرى", "يمكنك طلب إرساله مرة أخرى بعد {seconds} ث.", "أُرسل الرمز مرة أخرى.",
        "لا يمكن إرسال الرمز الآن. حاول لاحقًا.", "شكرًا لك. الرمز صحيح.",
        "انتهت صلاحية الرمز. ارجع واطلب رمزًا جديدًا.",
        "رموز خاطئة كثيرة جدًا. ارجع واطلب رمزًا جديدًا.", "أُلغي هذا الرمز.", "رجوع"),
    CodeWords(
        "he", "הקוד שלך הוא {{ code }}. אין למסור אותו לאיש.",
        "הקוד שלך הוא {{ code }}.\n\nאין למסור אותו לאיש. אם לא ביקשת אותו, אין צורך לעשות דבר.\n",
        "הקוד שלך", "שלחנו קוד אל {to}.", "קוד", "אישור", "זה לא הקוד. ניסיונות שנותרו: {left}.",
        "שליחת הקוד שוב", "אפשר לבקש שליחה נוספת בעוד {seconds} שנ׳.", "הקוד נשלח שוב.",
        "אי אפשר לשלוח את הקוד כעת. נא לנסות שוב מאוחר יותר.", "תודה. הקוד נכון.",
        "תוקף הקוד פג. נא לחזור ולבקש קוד חדש.",
        "יותר מדי קודים שגויים. נא לחזור ולבקש קוד חדש.", "הקוד הזה בוטל.", "חזרה"),
    CodeWords(
        "fa", "کد شما {{ code }} است. آن را به کسی ندهید.",
        "کد شما {{ code }} است.\n\nآن را به کسی ندهید. اگر شما آن را نخواسته‌اید، کاری نکنید.\n",
        "کد شما", "کدی به {to} فرستادیم.", "کد", "تأیید", "این کد درست نیست. تلاش‌های باقی‌مانده: {left}.",
        "ارسال دوبارهٔ کد", "تا {seconds} ثانیهٔ دیگر می‌توانید ارسال دوباره بخواهید.", "کد دوباره فرستاده شد.",
        "اکنون نمی‌توان کد را فرستاد. بعداً تلاش کنید.", "سپاسگزاریم. کد درست است.",
        "کد منقضی شده است. برگردید و کد تازه‌ای بخواهید.",
        "کدهای نادرست بیش از حد بود. برگردید و کد تازه‌ای بخواهید.", "این کد لغو شد.", "بازگشت"),
)
# fmt: on
_BY_LANGUAGE = {words.language: words for words in _ALL}


def code_words(locale: str | None) -> CodeWords:
    """Returns the texts in the language of this tag (`pt-BR`), or in English if it is not supported."""
    return _BY_LANGUAGE.get(language_of(locale), _ALL[0])
