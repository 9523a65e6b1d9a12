"""The words by which a reply blocks its sender, unless an operator chooses others."""

# Of the languages of the unsubscribe page; each of its buttons is one. (`cancelar` answers other questions, too.)
# fmt: off
STOP_WORDS = (
    "stop", "unsubscribe",
    "stopp", "abmelden", "abbestellen",
    "alto", "baja", "darse de baja",
    "arret", "arrêt", "désabonner", "se désabonner",
    "annulla l'iscrizione", "disiscrivimi",
    "afmelden", "uitschrijven",
    "wypisz", "wypisz mnie",
    "cancelar a inscrição", "cancelar inscrição", "descadastrar",
    "стоп", "отписаться", "отпишите меня",
    "відписатися", "відпишіть мене",
    "إلغاء الاشتراك", "ביטול ההרשמה", "لغو اشتراک",
)
