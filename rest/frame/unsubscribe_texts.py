"""The texts of the unsubscribe page, in each language that it supports."""

from typing import NamedTuple

from shapes.locales import language_of


class Words(NamedTuple):
    """The texts of the page, before (`ask`) and after (`done`) the button was pressed."""

    language: str
    ask_title: str
    ask: str
    button: str
    done_title: str
    done: str


# fmt: off
_ALL = (
    Words("en", "Unsubscribe?", "Get no more advertising from this sender.", "Unsubscribe",
          "You are unsubscribed", "You will get no more advertising from this sender."),
    Words("de", "Abmelden?", "Keine Werbung mehr von diesem Absender erhalten.", "Abmelden",
          "Sie sind abgemeldet", "Sie erhalten keine Werbung mehr von diesem Absender."),
    Words("es", "¿Darse de baja?", "No recibir más publicidad de este remitente.", "Darse de baja",
          "Se ha dado de baja", "No recibirá más publicidad de este remitente."),
    Words("fr", "Se désabonner ?", "Ne plus recevoir de publicité de cet expéditeur.", "Se désabonner",
          "Vous êtes désabonné", "Vous ne recevrez plus de publicité de cet expéditeur."),
    Words("it", "Annullare l'iscrizione?", "Non ricevere più pubblicità da questo mittente.", "Annulla l'iscrizione",
          "Iscrizione annullata", "Non riceverà più pubblicità da questo mittente."),
    Words("nl", "Afmelden?", "Geen reclame meer van deze afzender ontvangen.", "Afmelden",
          "U bent afgemeld", "U ontvangt geen reclame meer van deze afzender."),
    Words("pl", "Wypisać się?", "Nie otrzymywać więcej reklam od tego nadawcy.", "Wypisz mnie",
          "Wypisano z listy", "Nie będzie więcej reklam od tego nadawcy."),
    Words("pt", "Cancelar a inscrição?", "Não receber mais publicidade deste remetente.", "Cancelar a inscrição",
          "Inscrição cancelada", "Não receberá mais publicidade deste remetente."),
    Words("ru", "Отписаться?", "Больше не получать рекламу от этого отправителя.", "Отписаться",
          "Вы отписались", "Вы больше не будете получать рекламу от этого отправителя."),
    Words("uk", "Відписатися?", "Більше не отримувати рекламу від цього відправника.", "Відписатися",
          "Ви відписалися", "Ви більше не отримуватимете рекламу від цього відправника."),
    Words("ar", "إلغاء الاشتراك؟", "لا أريد مزيدًا من إعلانات هذا المرسل.", "إلغاء الاشتراك",
          "تم إلغاء اشتراكك", "لن تصلك إعلانات أخرى من هذا المرسل."),
    Words("he", "לבטל את ההרשמה?", "לא לקבל עוד פרסומות מהשולח הזה.", "ביטול ההרשמה",
          "ההרשמה בוטלה", "לא יישלחו אליך עוד פרסומות מהשולח הזה."),
    Words("fa", "لغو اشتراک؟", "دیگر تبلیغی از این فرستنده دریافت نکنم.", "لغو اشتراک",
          "اشتراک شما لغو شد", "دیگر تبلیغی از این فرستنده دریافت نخواهید کرد."),
)
# fmt: on
_BY_LANGUAGE = {words.language: words for words in _ALL}


def words_of(locale: str | None) -> Words:
    """Returns the texts in the language of this tag (`pt-BR`), or in English if it is not supported."""
    return _BY_LANGUAGE.get(language_of(locale), _ALL[0])
