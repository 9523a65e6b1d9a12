"""The texts of messages that ask for a confirmation, in each language that the pages for recipients support."""

from typing import NamedTuple

from shapes.locales import language_of


class OptInTexts(NamedTuple):
    """The texts of an email, and of an SMS."""

    language: str
    subject: str
    ask: str
    ignore: str
    sms: str
    agreed: str
    button: str


# fmt: off
_ALL = (
    OptInTexts("en", "Please confirm your subscription",
               "Please confirm that you want to get this:", "If it was not you, do nothing: you will get no messages.",
               "Confirm your subscription: {link}",
               "You have agreed to this:", "Confirm"),
    OptInTexts("de", "Bitte bestätigen Sie Ihre Anmeldung",
               "Bitte bestätigen Sie, dass Sie dies erhalten möchten:",
               "Wenn Sie es nicht waren, tun Sie nichts: Sie erhalten dann keine Nachrichten.",
               "Anmeldung bestätigen: {link}",
               "Dem haben Sie zugestimmt:", "Bestätigen"),
    OptInTexts("es", "Confirme su suscripción",
               "Confirme que desea recibir lo siguiente:", "Si no fue usted, no haga nada: no recibirá mensajes.",
               "Confirme su suscripción: {link}",
               "Ha aceptado lo siguiente:", "Confirmar"),
    OptInTexts("fr", "Veuillez confirmer votre inscription",
               "Veuillez confirmer que vous souhaitez recevoir :",
               "Si ce n'était pas vous, ne faites rien : vous ne recevrez aucun message.",
               "Confirmez votre inscription : {link}",
               "Vous avez accepté ceci :", "Confirmer"),
    OptInTexts("it", "Conferma la tua iscrizione",
               "Conferma di voler ricevere:", "Se non sei stato tu, non fare nulla: non riceverai messaggi.",
               "Conferma l'iscrizione: {link}",
               "Hai accettato quanto segue:", "Conferma"),
    OptInTexts("nl", "Bevestig uw aanmelding",
               "Bevestig dat u dit wilt ontvangen:", "Was u het niet? Doe niets: u ontvangt geen berichten.",
               "Bevestig uw aanmelding: {link}",
               "U bent hiermee akkoord gegaan:", "Bevestigen"),
    OptInTexts("pl", "Potwierdź zapis",
               "Potwierdź, że chcesz otrzymywać:", "Jeśli to nie Ty, nic nie rób: nie będzie żadnych wiadomości.",
               "Potwierdź zapis: {link}",
               "Treść zgody:", "Potwierdź"),
    OptInTexts("pt", "Confirme a sua inscrição",
               "Confirme que deseja receber:", "Se não foi você, não faça nada: não receberá mensagens.",
               "Confirme a sua inscrição: {link}",
               "Aceitou o seguinte:", "Confirmar"),
    OptInTexts("ru", "Подтвердите подписку",
               "Подтвердите, что хотите получать:", "Если это были не вы, ничего не делайте: сообщений не будет.",
               "Подтвердите подписку: {link}",
               "Вы согласились на следующее:", "Подтвердить"),
    OptInTexts("uk", "Підтвердьте підписку",
               "Підтвердьте, що хочете отримувати:", "Якщо це були не ви, нічого не робіть: повідомлень не буде.",
               "Підтвердьте підписку: {link}",
               "Ви погодилися на таке:", "Підтвердити"),
    OptInTexts("ar", "يرجى تأكيد اشتراكك",
               "يرجى تأكيد أنك تريد أن يصلك ما يلي:", "إن لم تكن أنت من طلب ذلك فلا تفعل شيئًا: لن تصلك أي رسائل.",
               "لتأكيد اشتراكك: {link}",
               "هذا ما وافقت عليه:", "تأكيد"),
    OptInTexts("he", "נא לאשר את ההרשמה",
               "נא לאשר שברצונך לקבל את הדברים הבאים:", "אם לא ביקשת זאת, אין צורך לעשות דבר: לא יישלחו אליך הודעות.",
               "לאישור ההרשמה: {link}",
               "לזה הסכמת:", "אישור"),
    OptInTexts("fa", "لطفاً عضویت خود را تأیید کنید",
               "لطفاً تأیید کنید که می‌خواهید این‌ها را دریافت کنید:",
               "اگر شما نبودید، کاری نکنید: پیامی دریافت نخواهید کرد.",
               "برای تأیید عضویت: {link}",
               "شما با این موافقت کرده‌اید:", "تأیید"),
)
# fmt: on
_BY_LANGUAGE = {texts.language: texts for texts in _ALL}


def texts_of(locale: str | None) -> OptInTexts:
    """Returns the texts in the language of this tag (`pt-BR`), or in English if it is not supported."""
    return _BY_LANGUAGE.get(language_of(locale), _ALL[0])
