"""The texts of the pages on which people sign up, confirm and choose, in each language that they support."""

from typing import NamedTuple

from shapes.locales import language_of


class SignupWords(NamedTuple):
    """The texts of the pages."""

    language: str
    own_name: str  # of the language
    email: str
    name: str
    sign_up: str
    sent_title: str
    sent: str
    confirm_title: str
    confirm: str
    confirm_button: str
    confirmed_title: str
    confirmed: str
    preferences_title: str
    preferences: str
    save: str
    saved: str
    nothing: str
    language_label: str


# fmt: off
_ALL = (
    SignupWords("en", "English", "Email", "Name", "Sign up", "Look into your mailbox",
                "We have sent you a link. Open it to confirm.", "Confirm?", "You want to get:", "Confirm",
                "Thank you", "You will get:", "What do you want to get?", "Tick what you want to get.", "Save",
                "Saved.", "Nothing at all", "Language"),
    SignupWords("de", "Deutsch", "E-Mail", "Name", "Anmelden", "Sehen Sie in Ihr Postfach",
                "Wir haben Ihnen einen Link gesendet. Öffnen Sie ihn, um zu bestätigen.", "Bestätigen?",
                "Sie möchten erhalten:", "Bestätigen", "Vielen Dank", "Sie erhalten:", "Was möchten Sie erhalten?",
                "Wählen Sie aus, was Sie erhalten möchten.", "Speichern", "Gespeichert.", "Gar nichts", "Sprache"),
    SignupWords("es", "Español", "Correo electrónico", "Nombre", "Suscribirse", "Mire su correo",
                "Le hemos enviado un enlace. Ábralo para confirmar.", "¿Confirmar?", "Desea recibir:", "Confirmar",
                "Gracias", "Recibirá:", "¿Qué desea recibir?", "Marque lo que desea recibir.", "Guardar", "Guardado.",
                "Nada", "Idioma"),
    SignupWords("fr", "Français", "E-mail", "Nom", "S'inscrire", "Consultez votre messagerie",
                "Nous vous avons envoyé un lien. Ouvrez-le pour confirmer.", "Confirmer ?", "Vous souhaitez recevoir :",
                "Confirmer", "Merci", "Vous recevrez :", "Que souhaitez-vous recevoir ?",
                "Cochez ce que vous souhaitez recevoir.", "Enregistrer", "Enregistré.", "Rien du tout", "Langue"),
    SignupWords("it", "Italiano", "E-mail", "Nome", "Iscriviti", "Controlla la posta",
                "Ti abbiamo inviato un link. Aprilo per confermare.", "Confermare?", "Vuoi ricevere:", "Conferma",
                "Grazie", "Riceverai:", "Che cosa vuoi ricevere?", "Seleziona ciò che vuoi ricevere.", "Salva",
                "Salvato.", "Niente", "Lingua"),
    SignupWords("nl", "Nederlands", "E-mail", "Naam", "Aanmelden", "Kijk in uw mailbox",
                "We hebben u een link gestuurd. Open die om te bevestigen.", "Bevestigen?", "U wilt ontvangen:",
                "Bevestigen", "Bedankt", "U ontvangt:", "Wat wilt u ontvangen?", "Kies wat u wilt ontvangen.",
                "Opslaan", "Opgeslagen.", "Helemaal niets", "Taal"),
    SignupWords("pl", "Polski", "E-mail", "Imię", "Zapisz się", "Sprawdź skrzynkę",
                "Wysłaliśmy link. Otwórz go, aby potwierdzić.", "Potwierdzić?", "Chcesz otrzymywać:", "Potwierdź",
                "Dziękujemy", "Będziesz otrzymywać:", "Co chcesz otrzymywać?", "Zaznacz, co chcesz otrzymywać.",
                "Zapisz", "Zapisano.", "Nic", "Język"),
    SignupWords("pt", "Português", "E-mail", "Nome", "Inscrever-se", "Veja o seu e-mail",
                "Enviámos-lhe uma ligação. Abra-a para confirmar.", "Confirmar?", "Deseja receber:", "Confirmar",
                "Obrigado", "Receberá:", "O que deseja receber?", "Marque o que deseja receber.", "Guardar",
                "Guardado.", "Nada", "Idioma"),
    SignupWords("ru", "Русский", "Эл. почта", "Имя", "Подписаться", "Проверьте почту",
                "Мы отправили вам ссылку. Откройте её, чтобы подтвердить.", "Подтвердить?", "Вы хотите получать:",
                "Подтвердить", "Спасибо", "Вы будете получать:", "Что вы хотите получать?",
                "Отметьте, что хотите получать.", "Сохранить", "Сохранено.", "Совсем ничего", "Язык"),
    SignupWords("uk", "Українська", "Ел. пошта", "Ім'я", "Підписатися", "Перевірте пошту",
                "Ми надіслали вам посилання. Відкрийте його, щоб підтвердити.", "Підтвердити?", "Ви хочете отримувати:",
                "Підтвердити", "Дякуємо", "Ви отримуватимете:", "Що ви хочете отримувати?",
                "Позначте, що хочете отримувати.", "Зберегти", "Збережено.", "Зовсім нічого", "Мова"),
    SignupWords("ar", "العربية", "البريد الإلكتروني", "الاسم", "اشتراك", "تفقّد بريدك",
                "أرسلنا إليك رابطًا. افتحه للتأكيد.", "هل تؤكّد؟", "تريد أن يصلك:", "تأكيد", "شكرًا لك",
                "سيصلك:", "ماذا تريد أن يصلك؟", "حدّد ما تريد أن يصلك.", "حفظ", "تم الحفظ.",
                "لا شيء على الإطلاق", "اللغة"),
    SignupWords("he", "עברית", "דוא״ל", "שם", "הרשמה", "נא לבדוק את תיבת הדואר",
                "שלחנו אליך קישור. יש לפתוח אותו כדי לאשר.", "לאשר?", "ביקשת לקבל:", "אישור", "תודה",
                "יישלח אליך:", "מה תרצו לקבל?", "סמנו את מה שתרצו לקבל.", "שמירה", "נשמר.", "שום דבר", "שפה"),
    SignupWords("fa", "فارسی", "ایمیل", "نام", "عضویت", "صندوق ایمیل خود را ببینید",
                "برای شما پیوندی فرستادیم. برای تأیید، آن را باز کنید.", "تأیید می‌کنید؟",
                "می‌خواهید این‌ها را دریافت کنید:", "تأیید", "سپاسگزاریم", "این‌ها را دریافت خواهید کرد:",
                "چه چیزی می‌خواهید دریافت کنید؟", "آنچه را می‌خواهید دریافت کنید علامت بزنید.", "ذخیره",
                "ذخیره شد.", "هیچ‌چیز", "زبان"),
)
# fmt: on
LANGUAGES = {words.language: words for words in _ALL}
"""The texts by their languages."""


def signup_words(locale: str | None) -> SignupWords:
    """Returns the texts in the language of this tag (`pt-BR`), or in English if it is not supported."""
    return LANGUAGES.get(language_of(locale), _ALL[0])
