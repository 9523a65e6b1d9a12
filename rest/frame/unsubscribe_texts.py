"""The texts of the unsubscribe page, in each language that it supports."""

from typing import NamedTuple

from shapes.locales import language_of


class Words(NamedTuple):
    """The texts of the page, before (`ask`) and after (`done`) the button was pressed, and of links in test messages
    and previews (`trial`).
    """

    language: str
    ask_title: str
    ask: str
    button: str
    done_title: str
    done: str
    trial_title: str
    trial: str


# fmt: off
_ALL = (
    Words("en", "Unsubscribe?", "Get no more advertising from this sender.", "Unsubscribe",
          "You are unsubscribed", "You will get no more advertising from this sender.",
          "This was a test",
          "This link is from a test message or a preview. In the real message it unsubscribes the "
          "recipient; here nothing has changed."),
    Words("de", "Abmelden?", "Keine Werbung mehr von diesem Absender erhalten.", "Abmelden",
          "Sie sind abgemeldet", "Sie erhalten keine Werbung mehr von diesem Absender.",
          "Das war ein Test",
          "Dieser Link ist aus einer Testnachricht oder Vorschau. In der echten Nachricht meldet er den "
          "Empfänger ab; hier hat sich nichts geändert."),
    Words("es", "¿Darse de baja?", "No recibir más publicidad de este remitente.", "Darse de baja",
          "Se ha dado de baja", "No recibirá más publicidad de este remitente.",
          "Esto era una prueba",
          "Este enlace es de un mensaje de prueba o de una vista previa. En el mensaje real da de baja al "
          "destinatario; aquí no ha cambiado nada."),
    Words("fr", "Se désabonner ?", "Ne plus recevoir de publicité de cet expéditeur.", "Se désabonner",
          "Vous êtes désabonné", "Vous ne recevrez plus de publicité de cet expéditeur.",
          "C'était un test",
          "Ce lien vient d'un message de test ou d'un aperçu. Dans le vrai message, il désabonne le "
          "destinataire ; ici, rien n'a changé."),
    Words("it", "Annullare l'iscrizione?", "Non ricevere più pubblicità da questo mittente.", "Annulla l'iscrizione",
          "Iscrizione annullata", "Non riceverà più pubblicità da questo mittente.",
          "Era una prova",
          "Questo link proviene da un messaggio di prova o da un'anteprima. Nel messaggio vero annulla "
          "l'iscrizione del destinatario; qui non è cambiato nulla."),
    Words("nl", "Afmelden?", "Geen reclame meer van deze afzender ontvangen.", "Afmelden",
          "U bent afgemeld", "U ontvangt geen reclame meer van deze afzender.",
          "Dit was een test",
          "Deze link komt uit een testbericht of een voorbeeld. In het echte bericht meldt hij de "
          "ontvanger af; hier is niets veranderd."),
    Words("pl", "Wypisać się?", "Nie otrzymywać więcej reklam od tego nadawcy.", "Wypisz mnie",
          "Wypisano z listy", "Nie będzie więcej reklam od tego nadawcy.",
          "To był test",
          "Ten link pochodzi z wiadomości testowej lub podglądu. W prawdziwej wiadomości wypisuje "
          "odbiorcę; tutaj nic się nie zmieniło."),
    Words("pt", "Cancelar a inscrição?", "Não receber mais publicidade deste remetente.", "Cancelar a inscrição",
          "Inscrição cancelada", "Não receberá mais publicidade deste remetente.",
          "Isto foi um teste",
          "Este link é de uma mensagem de teste ou de uma pré-visualização. Na mensagem real, cancela a "
          "inscrição do destinatário; aqui nada mudou."),
    Words("ru", "Отписаться?", "Больше не получать рекламу от этого отправителя.", "Отписаться",
          "Вы отписались", "Вы больше не будете получать рекламу от этого отправителя.",
          "Это была проверка",
          "Эта ссылка — из тестового сообщения или предпросмотра. В настоящем сообщении она отписывает "
          "получателя; здесь ничего не изменилось."),
    Words("uk", "Відписатися?", "Більше не отримувати рекламу від цього відправника.", "Відписатися",
          "Ви відписалися", "Ви більше не отримуватимете рекламу від цього відправника.",
          "Це була перевірка",
          "Це посилання — з тестового повідомлення або попереднього перегляду. У справжньому повідомленні "
          "воно відписує отримувача; тут нічого не змінилося."),
    Words("ar", "إلغاء الاشتراك؟", "لا أريد مزيدًا من إعلانات هذا المرسل.", "إلغاء الاشتراك",
          "تم إلغاء اشتراكك", "لن تصلك إعلانات أخرى من هذا المرسل.",
          "كان هذا اختبارًا",
          "هذا الرابط من رسالة اختبار أو معاينة. في الرسالة الحقيقية يلغي اشتراك المستلم، أما هنا فلم "
          "يتغير شيء."),
    Words("he", "לבטל את ההרשמה?", "לא לקבל עוד פרסומות מהשולח הזה.", "ביטול ההרשמה",
          "ההרשמה בוטלה", "לא יישלחו אליך עוד פרסומות מהשולח הזה.",
          "זו הייתה בדיקה",
          "הקישור הזה הוא מהודעת בדיקה או מתצוגה מקדימה. בהודעה האמיתית הוא מסיר את הנמען מהרשימה; כאן לא "
          "השתנה דבר."),
    Words("fa", "لغو اشتراک؟", "دیگر تبلیغی از این فرستنده دریافت نکنم.", "لغو اشتراک",
          "اشتراک شما لغو شد", "دیگر تبلیغی از این فرستنده دریافت نخواهید کرد.",
          "این یک آزمایش بود",
          "این پیوند از یک پیام آزمایشی یا پیش‌نمایش است. در پیام واقعی، اشتراک گیرنده را لغو می‌کند؛ در "
          "اینجا چیزی تغییر نکرد."),
)
# fmt: on
_BY_LANGUAGE = {words.language: words for words in _ALL}


def words_of(locale: str | None) -> Words:
    """Returns the texts in the language of this tag (`pt-BR`), or in English if it is not supported."""
    return _BY_LANGUAGE.get(language_of(locale), _ALL[0])
