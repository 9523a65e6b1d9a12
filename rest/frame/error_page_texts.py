"""The texts of the pages that tell people why a link or a form of theirs did not work, in each language of the pages.

In English a page has the error's own sentence.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from core.errors import AppError
from shapes.locales import preferred_of


class ErrorWords(NamedTuple):
    """The title of all such pages, and a text for each kind of error."""

    language: str
    title: str
    link: str
    opt_in: str
    data: str
    form: str
    not_offered: str
    running: str
    invalid: str
    busy: str
    unavailable: str
    letter: str
    way: str


# fmt: off
_ALL: Final = (
    ErrorWords(
        "en", "That did not work",
        "This link is invalid or has expired. Write to the sender.",
        "This link is invalid or has expired. Sign up again.",
        "Nothing is stored under this link any more. If you have asked for an erasure, it is done or under way."
        " Else the link has expired: ask again on the page of your preferences.",
        "This form does not exist any more.",
        "This sender does not offer that. Write to the sender.",
        "An erasure with one of your addresses is under way. Try again later.",
        "Something in what was sent is not valid. Go back, and check what you have entered.",
        "Too many requests. Try again later.",
        "That is not possible at the moment. Try again in a few minutes.",
        "This email is not stored here any more. The one in your mailbox is the only one.",
        "This link is invalid. Open it again from the email."),
    ErrorWords(
        "de", "Das hat nicht geklappt",
        "Dieser Link ist ungültig oder abgelaufen. Schreiben Sie dem Absender.",
        "Dieser Link ist ungültig oder abgelaufen. Melden Sie sich noch einmal an.",
        "Unter diesem Link ist nichts mehr gespeichert. Wenn Sie eine Löschung verlangt haben, ist sie erledigt oder im"
        " Gange. Sonst ist der Link abgelaufen: Fordern Sie auf der Seite Ihrer Einstellungen einen neuen an.",
        "Dieses Formular gibt es nicht mehr.",
        "Dieser Absender bietet das nicht an. Schreiben Sie dem Absender.",
        "Eine Löschung mit einer Ihrer Adressen ist im Gange. Versuchen Sie es später noch einmal.",
        "Etwas an den Angaben ist ungültig. Gehen Sie zurück und prüfen Sie, was Sie eingegeben haben.",
        "Zu viele Anfragen. Versuchen Sie es später noch einmal.",
        "Das ist im Augenblick nicht möglich. Versuchen Sie es in einigen Minuten noch einmal.",
        "Diese E-Mail ist hier nicht mehr gespeichert. Es gibt nur noch die in Ihrem Postfach.",
        "Dieser Link ist ungültig. Öffnen Sie ihn noch einmal aus der E-Mail."),
    ErrorWords(
        "es", "No ha funcionado",
        "Este enlace no es válido o ha caducado. Escriba al remitente.",
        "Este enlace no es válido o ha caducado. Vuelva a suscribirse.",
        "Ya no hay nada guardado en este enlace. Si ha pedido que se borren sus datos, ya se ha hecho o está en curso."
        " Si no, el enlace ha caducado: pida otro en la página de sus preferencias.",
        "Este formulario ya no existe.",
        "Este remitente no ofrece esta opción. Escriba al remitente.",
        "Hay un borrado en curso con una de sus direcciones. Inténtelo más tarde.",
        "Algún dato no es válido. Vuelva atrás y compruebe lo que ha escrito.",
        "Demasiadas solicitudes. Inténtelo más tarde.",
        "No es posible en este momento. Inténtelo dentro de unos minutos.",
        "Este correo ya no está guardado aquí. Solo queda el de su buzón.",
        "Este enlace no es válido. Ábralo de nuevo desde el correo."),
    ErrorWords(
        "fr", "Cela n'a pas fonctionné",
        "Ce lien n'est pas valable ou a expiré. Écrivez à l'expéditeur.",
        "Ce lien n'est pas valable ou a expiré. Inscrivez-vous à nouveau.",
        "Plus rien n'est enregistré sous ce lien. Si vous avez demandé un effacement, il est fait ou en cours. Sinon,"
        " le lien a expiré : demandez-en un autre sur la page de vos préférences.",
        "Ce formulaire n'existe plus.",
        "Cet expéditeur ne le propose pas. Écrivez à l'expéditeur.",
        "Un effacement est en cours pour l'une de vos adresses. Réessayez plus tard.",
        "Une des données n'est pas valable. Revenez en arrière et vérifiez votre saisie.",
        "Trop de demandes. Réessayez plus tard.",
        "Ce n'est pas possible pour le moment. Réessayez dans quelques minutes.",
        "Cet e-mail n'est plus conservé ici. Il ne reste que celui de votre boîte.",
        "Ce lien n'est pas valable. Ouvrez-le à nouveau depuis l'e-mail."),
    ErrorWords(
        "it", "Non ha funzionato",
        "Questo link non è valido o è scaduto. Scriva al mittente.",
        "Questo link non è valido o è scaduto. Si iscriva di nuovo.",
        "Sotto questo link non è più conservato nulla. Se ha chiesto una cancellazione, è già fatta o in corso."
        " Altrimenti il link è scaduto: ne chieda un altro nella pagina delle sue preferenze.",
        "Questo modulo non esiste più.",
        "Questo mittente non lo offre. Scriva al mittente.",
        "È in corso una cancellazione per uno dei suoi indirizzi. Riprovi più tardi.",
        "Uno dei dati non è valido. Torni indietro e controlli quanto ha inserito.",
        "Troppe richieste. Riprovi più tardi.",
        "Al momento non è possibile. Riprovi tra qualche minuto.",
        "Questa e-mail non è più conservata qui. Resta solo quella nella Sua casella.",
        "Questo link non è valido. Lo apra di nuovo dall'e-mail."),
    ErrorWords(
        "nl", "Dat is niet gelukt",
        "Deze link is ongeldig of verlopen. Schrijf de afzender.",
        "Deze link is ongeldig of verlopen. Meld u opnieuw aan.",
        "Onder deze link is niets meer opgeslagen. Als u om verwijdering hebt gevraagd, is die klaar of bezig. Anders"
        " is de link verlopen: vraag een nieuwe aan op de pagina met uw voorkeuren.",
        "Dit formulier bestaat niet meer.",
        "Deze afzender biedt dat niet aan. Schrijf de afzender.",
        "Er is een verwijdering bezig voor een van uw adressen. Probeer het later opnieuw.",
        "Een van de gegevens is ongeldig. Ga terug en controleer wat u hebt ingevuld.",
        "Te veel verzoeken. Probeer het later opnieuw.",
        "Dat kan op dit moment niet. Probeer het over een paar minuten opnieuw.",
        "Deze e-mail is hier niet meer opgeslagen. Alleen die in uw postbus is er nog.",
        "Deze link is ongeldig. Open hem opnieuw vanuit de e-mail."),
    ErrorWords(
        "pl", "Nie udało się",
        "Ten link jest nieprawidłowy lub wygasł. Proszę napisać do nadawcy.",
        "Ten link jest nieprawidłowy lub wygasł. Proszę zapisać się ponownie.",
        "Pod tym linkiem nic już nie jest przechowywane. Jeśli zażądano usunięcia danych, jest ono wykonane lub w toku."
        " W przeciwnym razie link wygasł: nowy można zamówić na stronie preferencji.",
        "Ten formularz już nie istnieje.",
        "Ten nadawca tego nie oferuje. Proszę napisać do nadawcy.",
        "Trwa usuwanie danych dla jednego z tych adresów. Proszę spróbować później.",
        "Coś w podanych danych jest nieprawidłowe. Proszę wrócić i sprawdzić wpisane dane.",
        "Zbyt wiele żądań. Proszę spróbować później.",
        "W tej chwili nie jest to możliwe. Proszę spróbować za kilka minut.",
        "Ta wiadomość nie jest już tutaj przechowywana. Pozostała tylko ta w skrzynce.",
        "Ten link jest nieprawidłowy. Proszę otworzyć go ponownie z wiadomości."),
    ErrorWords(
        "pt", "Não funcionou",
        "Esta ligação não é válida ou expirou. Escreva ao remetente.",
        "Esta ligação não é válida ou expirou. Inscreva-se novamente.",
        "Já nada está guardado nesta ligação. Se pediu que os seus dados fossem apagados, isso está feito ou em curso."
        " Caso contrário, a ligação expirou: peça outra na página das suas preferências.",
        "Este formulário já não existe.",
        "Este remetente não oferece essa opção. Escreva ao remetente.",
        "Está em curso um apagamento para um dos seus endereços. Tente mais tarde.",
        "Algum dado não é válido. Volte atrás e verifique o que escreveu.",
        "Demasiados pedidos. Tente mais tarde.",
        "De momento não é possível. Tente dentro de alguns minutos.",
        "Este e-mail já não está guardado aqui. Resta apenas o da sua caixa de correio.",
        "Esta ligação não é válida. Abra-a novamente a partir do e-mail."),
    ErrorWords(
        "ru", "Не получилось",
        "Эта ссылка недействительна или устарела. Напишите отправителю.",
        "Эта ссылка недействительна или устарела. Подпишитесь ещё раз.",
        "По этой ссылке больше ничего не хранится. Если вы просили удалить данные, это сделано или делается. Иначе"
        " ссылка устарела: запросите новую на странице настроек.",
        "Этой формы больше нет.",
        "Этот отправитель такого не предлагает. Напишите отправителю.",
        "Удаление для одного из ваших адресов ещё идёт. Попробуйте позже.",
        "Что-то указано неверно. Вернитесь и проверьте введённое.",
        "Слишком много запросов. Попробуйте позже.",
        "Сейчас это невозможно. Попробуйте через несколько минут.",
        "Это письмо здесь больше не хранится. Осталось только то, что в вашем ящике.",
        "Эта ссылка недействительна. Откройте её ещё раз из письма."),
    ErrorWords(
        "uk", "Не вдалося",
        "Це посилання недійсне або застаріло. Напишіть відправнику.",
        "Це посилання недійсне або застаріло. Підпишіться ще раз.",
        "За цим посиланням більше нічого не зберігається. Якщо ви просили видалити дані, це зроблено або робиться."
        " Інакше посилання застаріло: запросіть нове на сторінці налаштувань.",
        "Цієї форми більше немає.",
        "Цей відправник такого не пропонує. Напишіть відправнику.",
        "Видалення для однієї з ваших адрес ще триває. Спробуйте пізніше.",
        "Щось указано неправильно. Поверніться й перевірте введене.",
        "Забагато запитів. Спробуйте пізніше.",
        "Зараз це неможливо. Спробуйте за кілька хвилин.",
        "Цей лист тут більше не зберігається. Залишився лише той, що у вашій скриньці.",
        "Це посилання недійсне. Відкрийте його ще раз із листа."),
    ErrorWords(
        "ar", "تعذّر ذلك",
        "هذا الرابط غير صالح أو انتهت صلاحيته. اكتب إلى المرسل.",
        "هذا الرابط غير صالح أو انتهت صلاحيته. اشترك من جديد.",
        "لم يعد هناك شيء محفوظ تحت هذا الرابط. إن كنت قد طلبت المحو فقد تم أو هو جارٍ. وإلا فقد انتهت صلاحية الرابط:"
        " اطلب رابطًا جديدًا من صفحة تفضيلاتك.",
        "لم يعد هذا النموذج موجودًا.",
        "هذا المرسل لا يتيح ذلك. اكتب إلى المرسل.",
        "محو البيانات لأحد عناوينك جارٍ. حاول لاحقًا.",
        "في ما أُرسل شيء غير صالح. ارجع وتحقق مما أدخلته.",
        "طلبات كثيرة جدًا. حاول لاحقًا.",
        "هذا غير ممكن الآن. حاول بعد بضع دقائق.",
        "لم تعد هذه الرسالة محفوظة هنا. لم يبق إلا التي في صندوق بريدك.",
        "هذا الرابط غير صالح. افتحه مرة أخرى من الرسالة."),
    ErrorWords(
        "he", "זה לא הצליח",
        "הקישור אינו תקין או שפג תוקפו. נא לכתוב לשולח.",
        "הקישור אינו תקין או שפג תוקפו. נא להירשם שוב.",
        "שום דבר אינו שמור עוד תחת הקישור הזה. אם ביקשת מחיקה, היא בוצעה או מתבצעת. אחרת פג תוקפו של הקישור: אפשר לבקש"
        " קישור חדש בדף ההעדפות.",
        "הטופס הזה אינו קיים עוד.",
        "השולח אינו מציע זאת. נא לכתוב לשולח.",
        "מחיקה של אחת הכתובות שלך מתבצעת כעת. נא לנסות שוב מאוחר יותר.",
        "משהו במה שנשלח אינו תקין. נא לחזור ולבדוק את מה שהוזן.",
        "יותר מדי בקשות. נא לנסות שוב מאוחר יותר.",
        "זה אינו אפשרי כרגע. נא לנסות שוב בעוד כמה דקות.",
        "הדוא״ל הזה אינו שמור כאן עוד. נותר רק זה שבתיבה שלך.",
        "הקישור אינו תקין. נא לפתוח אותו שוב מתוך הדוא״ל."),
    ErrorWords(
        "fa", "انجام نشد",
        "این پیوند نامعتبر است یا منقضی شده است. به فرستنده بنویسید.",
        "این پیوند نامعتبر است یا منقضی شده است. دوباره عضو شوید.",
        "دیگر چیزی زیر این پیوند ذخیره نیست. اگر درخواست پاک‌کردن داده‌اید، انجام شده یا در حال انجام است. وگرنه پیوند"
        " منقضی شده است: در صفحهٔ تنظیمات خود پیوند تازه‌ای بخواهید.",
        "این فرم دیگر وجود ندارد.",
        "این فرستنده چنین امکانی ندارد. به فرستنده بنویسید.",
        "پاک‌کردن دادهٔ یکی از نشانی‌های شما در حال انجام است. بعداً دوباره تلاش کنید.",
        "بخشی از آنچه فرستاده شد معتبر نیست. برگردید و آنچه وارد کرده‌اید را بررسی کنید.",
        "درخواست‌ها بیش از حد است. بعداً دوباره تلاش کنید.",
        "اکنون ممکن نیست. چند دقیقهٔ دیگر دوباره تلاش کنید.",
        "این ایمیل دیگر اینجا ذخیره نیست. تنها همان که در صندوق شماست مانده است.",
        "این پیوند نامعتبر است. آن را دوباره از ایمیل باز کنید."),
)
# fmt: on
LANGUAGES: Final = {words.language: words for words in _ALL}
"""The texts by their languages."""

_BY_CODE: Final[Mapping[str, str]] = {
    "opt_in_link_invalid": "opt_in",
    "preferences_link_invalid": "link",
    "unsubscribe_link_invalid": "link",
    "undo_link_invalid": "link",
    "web_copy_deleted": "letter",
    "web_copy_invalid": "way",
    "link_invalid": "way",
    "self_service_link_invalid": "data",
    "signup_form_not_found": "form",
    "self_service_off": "not_offered",
    "erasure_running": "running",
}


def error_words(accepted: str | None) -> ErrorWords:
    """Returns the texts in the language that an Accept-Language header prefers, or in English."""
    return LANGUAGES[preferred_of(accepted, LANGUAGES) or "en"]


def text_of(words: ErrorWords, error: AppError) -> str:
    """Returns what a page says of an error."""
    if words.language == "en":
        return error.message
    kind = _BY_CODE.get(error.code)
    if kind is None:
        kind = "busy" if error.status == 429 else "invalid" if error.status < 500 else "unavailable"
    text: str = getattr(words, kind)
    return text
