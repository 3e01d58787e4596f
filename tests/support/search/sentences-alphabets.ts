/** Sentences of languages that put spaces between words, for the trials of the search. They are our own. */

const en = [
  'The deployment of the payment service was postponed until Friday.',
  'Running the whole test suite takes forty minutes on my laptop.',
  'She runs the support desk in Dublin.',
  'They ran out of coffee before the stand-up.',
  'Who deployed the release candidate without telling anyone?',
  "Please don't restart the database during the backup.",
  "Café Zürich closes at nine, so let's meet earlier.",
  'The invoices for March are in the shared folder.',
  "An invoice without a number can't be booked.",
  'To be or not to be is not a backup strategy.',
  'I booked the train to Brno, seat 42.',
  'Concatenate the log files and look for the cat picture.',
  'User research says that people never read the release notes.',
  'The naïve approach was faster than the clever one.',
  'Miss O’Brien and Mr Obrien share a desk.',
];

const de = [
  'Die Krankenversicherung hat den Antrag abgelehnt.',
  'Unsere Versicherungen laufen Ende März aus.',
  'Die Straße vor dem Büro ist bis Montag gesperrt.',
  'Größe und Gewicht stehen auf dem Lieferschein.',
  'Der Datenschutzbeauftragte prüft die Auftragsverarbeitung.',
  'Wir müssen die Überweisung noch heute freigeben.',
  'Häuser und Wohnungen werden getrennt abgerechnet.',
  'Das Haus am See gehört meiner Tante.',
  'Kannst du mir die Rechnung schicken?',
  'Die Lebensversicherung kündige ich nicht.',
  'Äpfel, Öl und Übermut.',
  'Bitte den Schlüssel beim Empfang abgeben.',
];

const fr = [
  "L’homme qui plantait des arbres a signé l'appel.",
  "J'ai reçu la facture, mais il manque l'adresse.",
  "Où est passée la clé de l'entrepôt ?",
  "L'œuvre complète tient en deux volumes.",
  'Le café est prêt, à tout de suite !',
  "Aujourd'hui nous déployons la nouvelle version.",
  "Les élèves ont été très étonnés par l'exposition.",
  "Ça marche, je m'en occupe dès demain.",
  'Le garçon a mangé une crêpe.',
  "Quelqu'un a vu mon parapluie ?",
];

const es = [
  '¿Mañana puedes revisar la factura?',
  'El niño pequeño duerme en la habitación.',
  'La contraseña caduca dentro de tres días.',
  '¡Qué vergüenza, olvidé la reunión!',
  'El camión llegará después del mediodía.',
  'Necesitamos más información sobre el envío.',
  'Nadie respondió a la última pregunta.',
  'Corazón y razón no siempre coinciden.',
];

const pt = [
  'Não consigo abrir a configuração do servidor.',
  'As informações estão na página inicial.',
  'O coração da cidade fica perto do rio.',
  'Amanhã não há reunião.',
  'A pão e água ninguém programa bem.',
  'O avô comprou três maçãs.',
  'As ações caíram ontem à noite.',
  'Você já enviou o relatório?',
];

const it = [
  'Perché il caffè è già finito?',
  "L'università apre domani mattina.",
  "La città è bellissima d'inverno.",
  "Ho dimenticato la chiave nell'automobile.",
  'Più tardi mandiamo la fattura al cliente.',
  "Lunedì c'è sciopero dei treni.",
  'Gli gnocchi della nonna sono i migliori.',
  "Un'altra volta andrà meglio.",
];

const ru = [
  'Сегодня мы выкатываем новую версию сервера.',
  'Ёжик бежал через тёмный лес.',
  'Елена Алёшина отправила счёт вчера.',
  'Кто знает пароль от принтера?',
  'Йод и зелёнка лежат в аптечке.',
  'Документы нужно подписать до пятницы.',
  'Мой дом — моя крепость.',
  'Серверная комната закрыта на ключ.',
  'Он подписал документ без вопросов.',
];

const el = [
  'Η Ελένη έστειλε το τιμολόγιο χθες.',
  'Ποιος έχει το κλειδί της αποθήκης;',
  'Ο σέρβερ είναι πάλι κάτω.',
  'Καλημέρα, ο καφές είναι έτοιμος.',
  'Η οδός Σόλωνος είναι κλειστή.',
  'Οι άνθρωποι περιμένουν στην είσοδο.',
  'ΠΡΟΣΟΧΗ: ΝΕΟΣ ΚΩΔΙΚΟΣ ΑΠΟ ΑΥΡΙΟ.',
];

const tr = [
  "İstanbul'da yağmur yağıyor.",
  'Işıklar kapalı, kimse yok mu?',
  'Toplantı yarın saat üçte başlıyor.',
  'Şifreyi değiştirmeyi unutma.',
  "Çalışma arkadaşımız Diyarbakır'dan geliyor.",
  'Sunucu ılık bir odada duruyor.',
  'Isparta gülleriyle ünlüdür.',
  'Öğle yemeğinde ne var?',
];

const ar = [
  'الخادم لا يعمل منذ الصباح.',
  'أرسلت الفاتورة إلى العميل أمس.',
  'الاجتماع غدًا في الساعة الثالثة.',
  'مَن يعرف كلمة السرّ للطابعة؟',
  'سنطلق النسخة الجديدة اليوم.',
  'إدارة المشروع في الطابق الثاني.',
];

const hi = [
  'सर्वर आज सुबह से बंद है।',
  'कृपया ग्राहक को बिल भेजें।',
  'हिन्दी में भी खोज होनी चाहिए।',
  'बैठक कल दोपहर तीन बजे है।',
  'क़लम मेज़ पर रखी है।',
  'नया संस्करण आज आएगा।',
];

export const ALPHABETS = { en, de, fr, es, pt, it, ru, el, tr, ar, hi };
