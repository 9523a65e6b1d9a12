"""The texts of the pages and messages by which people ask for their own data, in each language that they support."""

from typing import NamedTuple

from shapes.locales import language_of
from shapes.self_service import SelfService


class SelfServiceWords(NamedTuple):
    """The texts; those for a kind of request come in pairs."""

    language: str
    title: str
    offer: str
    export: str
    erase: str
    sent: str
    export_mail: str
    erase_mail: str
    ignore: str
    export_ask: str
    export_button: str
    erase_title: str
    erase_ask: str
    erase_button: str
    writing: str
    ready: str
    download: str
    failed: str
    erasing: str

    def name(self, kind: SelfService) -> str:
        """Returns the name of a request, as its button and the subject of its mail have it."""
        return self.export if kind is SelfService.export else self.erase

    def mail(self, kind: SelfService) -> str:
        """Returns the sentence before the link in the message."""
        return self.export_mail if kind is SelfService.export else self.erase_mail


# fmt: off
_ALL = (
    SelfServiceWords(
        "en", "Your data", "We send a link to your own address. It is valid for 30 minutes.", "Get my data",
        "Erase my data",
        "If we can reach you, you get a message with a link now. It is valid for 30 minutes. "
        "If none comes, write to us.",
        "Open this link within 30 minutes to get what we store about you:",
        "Open this link within 30 minutes to have what we store about you erased:",
        "If it was not you, do nothing.", "A file is written with what we store about you.", "Write the file",
        "Erase your data?", "What we store about you is erased. This can't be undone.", "Erase",
        "The file is being written. This page reloads by itself.", "Your file is ready.", "Download",
        "The file could not be written. Please write to us.", "Your data is being erased."),
    SelfServiceWords(
        "de", "Ihre Daten", "Wir senden einen Link an Ihre eigene Adresse. Er gilt 30 Minuten.", "Meine Daten erhalten",
        "Meine Daten löschen",
        "Wenn wir Sie erreichen können, erhalten Sie jetzt eine Nachricht mit einem Link. "
        "Er gilt 30 Minuten. Kommt keine, schreiben Sie uns.",
        "Öffnen Sie diesen Link innerhalb von 30 Minuten, um zu erhalten, was wir über Sie speichern:",
        "Öffnen Sie diesen Link innerhalb von 30 Minuten, um löschen zu lassen, was wir über Sie speichern:",
        "Wenn Sie es nicht waren, tun Sie nichts.", "Eine Datei mit dem, was wir über Sie speichern, wird geschrieben.",
        "Datei schreiben", "Ihre Daten löschen?",
        "Was wir über Sie speichern, wird gelöscht. Das lässt sich nicht rückgängig machen.", "Löschen",
        "Die Datei wird geschrieben. Diese Seite lädt von selbst neu.", "Ihre Datei ist fertig.", "Herunterladen",
        "Die Datei konnte nicht geschrieben werden. Bitte schreiben Sie uns.", "Ihre Daten werden gelöscht."),
    SelfServiceWords(
        "es", "Sus datos", "Enviamos un enlace a su propia dirección. Es válido durante 30 minutos.",
        "Obtener mis datos", "Borrar mis datos",
        "Si podemos contactarle, recibirá ahora un mensaje con un enlace. Es válido durante 30 minutos. "
        "Si no llega, escríbanos.",
        "Abra este enlace en un plazo de 30 minutos para obtener lo que guardamos sobre usted:",
        "Abra este enlace en un plazo de 30 minutos para que se borre lo que guardamos sobre usted:",
        "Si no fue usted, no haga nada.", "Se escribe un archivo con lo que guardamos sobre usted.",
        "Escribir el archivo", "¿Borrar sus datos?", "Se borra lo que guardamos sobre usted. No se puede deshacer.",
        "Borrar", "Se está escribiendo el archivo. Esta página se recarga sola.", "Su archivo está listo.", "Descargar",
        "No se pudo escribir el archivo. Escríbanos, por favor.", "Se están borrando sus datos."),
    SelfServiceWords(
        "fr", "Vos données", "Nous envoyons un lien à votre propre adresse. Il est valable 30 minutes.",
        "Obtenir mes données", "Effacer mes données",
        "Si nous pouvons vous joindre, vous recevez maintenant un message avec un lien. "
        "Il est valable 30 minutes. S'il n'arrive pas, écrivez-nous.",
        "Ouvrez ce lien dans les 30 minutes pour obtenir ce que nous conservons à votre sujet :",
        "Ouvrez ce lien dans les 30 minutes pour faire effacer ce que nous conservons à votre sujet :",
        "Si ce n'était pas vous, ne faites rien.", "Un fichier est écrit avec ce que nous conservons à votre sujet.",
        "Écrire le fichier", "Effacer vos données ?",
        "Ce que nous conservons à votre sujet est effacé. C'est irréversible.", "Effacer",
        "Le fichier est en cours d'écriture. Cette page se recharge d'elle-même.", "Votre fichier est prêt.",
        "Télécharger", "Le fichier n'a pas pu être écrit. Écrivez-nous.", "Vos données sont en cours d'effacement."),
    SelfServiceWords(
        "it", "I tuoi dati", "Inviamo un link al tuo indirizzo. È valido per 30 minuti.", "Ricevi i miei dati",
        "Cancella i miei dati",
        "Se possiamo raggiungerti, ricevi ora un messaggio con un link. È valido per 30 minuti. "
        "Se non arriva, scrivici.",
        "Apri questo link entro 30 minuti per ricevere ciò che conserviamo su di te:",
        "Apri questo link entro 30 minuti per far cancellare ciò che conserviamo su di te:",
        "Se non sei stato tu, non fare nulla.", "Viene scritto un file con ciò che conserviamo su di te.",
        "Scrivi il file", "Cancellare i tuoi dati?",
        "Ciò che conserviamo su di te viene cancellato. Non si può annullare.", "Cancella",
        "Il file è in scrittura. Questa pagina si ricarica da sola.", "Il tuo file è pronto.", "Scarica",
        "Non è stato possibile scrivere il file. Scrivici.", "I tuoi dati vengono cancellati."),
    SelfServiceWords(
        "nl", "Uw gegevens", "We sturen een link naar uw eigen adres. Die is 30 minuten geldig.",
        "Mijn gegevens ontvangen", "Mijn gegevens wissen",
        "Als we u kunnen bereiken, ontvangt u nu een bericht met een link. Die is 30 minuten geldig. "
        "Komt er geen, schrijf ons dan.",
        "Open deze link binnen 30 minuten om te ontvangen wat we over u bewaren:",
        "Open deze link binnen 30 minuten om te laten wissen wat we over u bewaren:",
        "Was u het niet? Doe niets.", "Er wordt een bestand geschreven met wat we over u bewaren.",
        "Bestand schrijven", "Uw gegevens wissen?", "Wat we over u bewaren, wordt gewist. Dit is onomkeerbaar.",
        "Wissen", "Het bestand wordt geschreven. Deze pagina laadt vanzelf opnieuw.", "Uw bestand is klaar.",
        "Downloaden", "Het bestand kon niet worden geschreven. Schrijf ons.", "Uw gegevens worden gewist."),
    SelfServiceWords(
        "pl", "Twoje dane", "Wysyłamy link na Twój własny adres. Jest ważny przez 30 minut.", "Pobierz moje dane",
        "Usuń moje dane",
        "Jeśli możemy się z Tobą skontaktować, dostaniesz teraz wiadomość z linkiem. "
        "Jest ważny przez 30 minut. Jeśli nie przyjdzie, napisz do nas.",
        "Otwórz ten link w ciągu 30 minut, aby otrzymać to, co o Tobie przechowujemy:",
        "Otwórz ten link w ciągu 30 minut, aby usunąć to, co o Tobie przechowujemy:",
        "Jeśli to nie Ty, nic nie rób.", "Zostanie zapisany plik z tym, co o Tobie przechowujemy.", "Zapisz plik",
        "Usunąć Twoje dane?", "To, co o Tobie przechowujemy, zostanie usunięte. Nie można tego cofnąć.", "Usuń",
        "Plik jest zapisywany. Ta strona odświeża się sama.", "Plik jest gotowy.", "Pobierz",
        "Nie udało się zapisać pliku. Napisz do nas.", "Twoje dane są usuwane."),
    SelfServiceWords(
        "pt", "Os seus dados", "Enviamos uma ligação para o seu próprio endereço. É válida durante 30 minutos.",
        "Obter os meus dados", "Apagar os meus dados",
        "Se o pudermos contactar, recebe agora uma mensagem com uma ligação. É válida durante 30 minutos. "
        "Se não chegar, escreva-nos.",
        "Abra esta ligação dentro de 30 minutos para obter o que guardamos sobre si:",
        "Abra esta ligação dentro de 30 minutos para que se apague o que guardamos sobre si:",
        "Se não foi você, não faça nada.", "É escrito um ficheiro com o que guardamos sobre si.", "Escrever o ficheiro",
        "Apagar os seus dados?", "O que guardamos sobre si é apagado. Não pode ser desfeito.", "Apagar",
        "O ficheiro está a ser escrito. Esta página recarrega-se sozinha.", "O seu ficheiro está pronto.",
        "Descarregar", "Não foi possível escrever o ficheiro. Escreva-nos.", "Os seus dados estão a ser apagados."),
    SelfServiceWords(
        "ru", "Ваши данные", "Мы отправим ссылку на ваш собственный адрес. Она действует 30 минут.",
        "Получить мои данные", "Стереть мои данные",
        "Если мы можем с вами связаться, вы получите сейчас сообщение со ссылкой. Она действует 30 минут. "
        "Если его нет, напишите нам.",
        "Откройте эту ссылку в течение 30 минут, чтобы получить то, что мы о вас храним:",
        "Откройте эту ссылку в течение 30 минут, чтобы стереть то, что мы о вас храним:",
        "Если это были не вы, ничего не делайте.", "Будет записан файл с тем, что мы о вас храним.", "Записать файл",
        "Стереть ваши данные?", "То, что мы о вас храним, будет стёрто. Отменить это нельзя.", "Стереть",
        "Файл записывается. Страница обновится сама.", "Ваш файл готов.", "Скачать",
        "Не удалось записать файл. Напишите нам.", "Ваши данные стираются."),
    SelfServiceWords(
        "uk", "Ваші дані", "Ми надішлемо посилання на вашу власну адресу. Воно дійсне 30 хвилин.",
        "Отримати мої дані", "Стерти мої дані",
        "Якщо ми можемо з вами зв'язатися, ви отримаєте зараз повідомлення з посиланням. "
        "Воно дійсне 30 хвилин. Якщо його немає, напишіть нам.",
        "Відкрийте це посилання протягом 30 хвилин, щоб отримати те, що ми про вас зберігаємо:",
        "Відкрийте це посилання протягом 30 хвилин, щоб стерти те, що ми про вас зберігаємо:",
        "Якщо це були не ви, нічого не робіть.", "Буде записано файл із тим, що ми про вас зберігаємо.",
        "Записати файл", "Стерти ваші дані?", "Те, що ми про вас зберігаємо, буде стерто. Скасувати це неможливо.",
        "Стерти", "Файл записується. Сторінка оновиться сама.", "Ваш файл готовий.", "Завантажити",
        "Не вдалося записати файл. Напишіть нам.", "Ваші дані стираються."),
    SelfServiceWords(
        "ar", "بياناتك", "نرسل رابطًا إلى عنوانك أنت. يصلح 30 دقيقة.", "الحصول على بياناتي", "محو بياناتي",
        "إن كان بوسعنا الوصول إليك فستصلك الآن رسالة فيها رابط. يصلح 30 دقيقة. إن لم تصل فاكتب إلينا.",
        "افتح هذا الرابط خلال 30 دقيقة للحصول على ما نحفظه عنك:",
        "افتح هذا الرابط خلال 30 دقيقة لمحو ما نحفظه عنك:",
        "إن لم تكن أنت من طلب ذلك فلا تفعل شيئًا.", "يُكتب ملف فيه ما نحفظه عنك.", "كتابة الملف",
        "هل تُمحى بياناتك؟", "يُمحى ما نحفظه عنك. لا يمكن التراجع عن ذلك.", "محو",
        "يُكتب الملف الآن. تُعاد هذه الصفحة من تلقاء نفسها.", "ملفك جاهز.", "تنزيل",
        "تعذّرت كتابة الملف. يرجى الكتابة إلينا.", "بياناتك قيد المحو."),
    SelfServiceWords(
        "he", "הנתונים שלך", "אנו שולחים קישור לכתובת שלך. הוא תקף ל-30 דקות.", "קבלת הנתונים שלי",
        "מחיקת הנתונים שלי",
        "אם ביכולתנו להשיג אותך, תגיע אליך כעת הודעה עם קישור. הוא תקף ל-30 דקות. אם לא הגיעה, נא לכתוב לנו.",
        "יש לפתוח את הקישור בתוך 30 דקות כדי לקבל את מה ששמור אצלנו עליך:",
        "יש לפתוח את הקישור בתוך 30 דקות כדי למחוק את מה ששמור אצלנו עליך:",
        "אם לא ביקשת זאת, אין צורך לעשות דבר.", "ייכתב קובץ עם מה ששמור אצלנו עליך.", "כתיבת הקובץ",
        "למחוק את הנתונים שלך?", "מה ששמור אצלנו עליך יימחק. אי אפשר לבטל זאת.", "מחיקה",
        "הקובץ נכתב כעת. הדף נטען מחדש מעצמו.", "הקובץ שלך מוכן.", "הורדה",
        "לא היה אפשר לכתוב את הקובץ. נא לכתוב לנו.", "הנתונים שלך נמחקים."),
    SelfServiceWords(
        "fa", "داده‌های شما", "پیوندی به نشانی خود شما می‌فرستیم. 30 دقیقه اعتبار دارد.", "دریافت داده‌های من",
        "پاک‌کردن داده‌های من",
        "اگر دسترسی به شما ممکن باشد، اکنون پیامی با یک پیوند دریافت می‌کنید. 30 دقیقه اعتبار دارد. "
        "اگر نیامد، به ما بنویسید.",
        "برای دریافت آنچه دربارهٔ شما ذخیره کرده‌ایم، این پیوند را تا 30 دقیقه باز کنید:",
        "برای پاک‌کردن آنچه دربارهٔ شما ذخیره کرده‌ایم، این پیوند را تا 30 دقیقه باز کنید:",
        "اگر شما نبودید، کاری نکنید.", "پرونده‌ای با آنچه دربارهٔ شما ذخیره کرده‌ایم نوشته می‌شود.", "نوشتن پرونده",
        "داده‌های شما پاک شود؟", "آنچه دربارهٔ شما ذخیره کرده‌ایم پاک می‌شود. این کار برگشت‌پذیر نیست.", "پاک‌کردن",
        "پرونده در حال نوشته‌شدن است. این صفحه خودبه‌خود دوباره بار می‌شود.", "پروندهٔ شما آماده است.", "دریافت",
        "نوشتن پرونده ممکن نشد. لطفاً به ما بنویسید.", "داده‌های شما در حال پاک‌شدن است."),
)
# fmt: on
_BY_LANGUAGE = {words.language: words for words in _ALL}


def self_service_words(locale: str | None) -> SelfServiceWords:
    """Returns the texts in the language of this tag (`pt-BR`), or in English if it is not supported."""
    return _BY_LANGUAGE.get(language_of(locale), _ALL[0])
