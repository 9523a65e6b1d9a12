// Texts of adding an account, and of its settings.
export default {
  fields: {
    login: "Логин",
    name: "Название",
    optionalName: "Название (необязательно)",
    phone: "Номер телефона",
    code: "Код",
    password: "Облачный пароль",
    optionalProxy: "Прокси (необязательно)",
  },
  help: {
    login: "Имя аккаунта в API: его номер телефона или короткое имя на ваш выбор. Изменить его нельзя.",
    sandboxLogin:
      "Любое имя. У некоторых номеров есть смысл: +1 500 555 1030 спрашивает облачный пароль, +1 500 555 1040 заблокирован.",
    name: "Что видно в списках, например «Поддержка Берлин».",
  },
  way: {
    label: "Как войти",
    qr: "Отсканировать QR-код телефоном",
    telegram: "Ввести код, который Telegram отправит на телефон",
    whatsapp: "Ввести код на телефоне",
  },
  addAndStart: "Добавить и подключить",
  saved: "Сохранено.",
  notEnabled: "не включено",
  drivers: {
    telegram: "Telegram, как связанное устройство",
    whatsapp: "WhatsApp, как связанное устройство",
    whatsapp_cloud: "WhatsApp Cloud API",
    sandbox: "Песочница: ничего не покидает сервис",
  },
  kinds: {
    telegram: {
      title: "Telegram",
      text: "Ваш аккаунт, как ещё одно его устройство. Понадобится телефон аккаунта.",
      enable:
        "Оператор создаёт приложение на my.telegram.org (API development tools) и задаёт POSTERN_TELEGRAM_API_ID и POSTERN_TELEGRAM_API_HASH.",
    },
    whatsapp: {
      title: "WhatsApp",
      text: "Ваш аккаунт, как связанное устройство. WhatsApp может заблокировать за это номер: берите тот, который не жалко потерять.",
      enable:
        "Оператор устанавливает драйвер (make setup-whatsapp) и задаёт POSTERN_WHATSAPP_DRIVER=whatsapp.",
    },
    whatsapp_cloud: {
      title: "WhatsApp Cloud",
      text: "Официальный API Meta для бизнеса. Нужно приложение на developers.facebook.com; телефон не нужен.",
      enable: "Оператор задаёт POSTERN_WHATSAPP_DRIVER=whatsapp-cloud.",
    },
    sandbox: {
      title: "Песочница {{messenger}}",
      text: "Имитация мессенджера для проб. QR-код сканирует имитация человека; ничего не покидает сервис.",
    },
  },
  cloud: {
    title: "Данные доступа Meta",
    replace:
      "Они не показываются. Чтобы изменить одно значение, введите все четыре. Подключённый аккаунт переподключится с ними.",
    phoneNumberId: {
      label: "Phone number ID",
      where: "В панели приложения Meta: WhatsApp → API Setup. Это не сам номер телефона.",
    },
    accessToken: {
      label: "Access token",
      where:
        "Токен системного пользователя с правом whatsapp_business_messaging, он бессрочный. Токен из API Setup действует один день.",
    },
    appSecret: { label: "App secret", where: "В панели приложения Meta: App settings → Basic." },
    verifyToken: {
      label: "Verify token",
      where: "Любой ваш текст. Тот же текст вводится в настройке вебхука у Meta.",
    },
  },
  callback: {
    title: "Вебхук у Meta",
    text: "Чтобы сообщения приходили, укажите у Meta этот callback URL: WhatsApp → Configuration.",
    url: "callback URL",
    rest: "Verify token — тот, что вы ввели здесь. Подпишитесь на поле «messages».",
  },
};
