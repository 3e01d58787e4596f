/** Sentences without spaces between words, and what is no language: code, tickets, links and emoji. */

const zh = [
  '我们今天发布新版本。',
  '今天天气很好，适合散步。',
  '数据库备份失败了，请检查日志。',
  '新手机的电池不耐用。',
  '会议改到明天下午三点。',
  '谁知道打印机的密码？',
  '发票已经寄给客户。',
  '请在上线之前跑一遍测试。',
  '我在用iPhone手机写这条消息。',
  '繁體中文也應該能找到。',
  '天今不是一个词。',
];

const ja = [
  '今日は新しいバージョンを公開します。',
  'カタカナとひらがなは同じように探せます。',
  'かたかなで書いてください。',
  'サーバーが落ちました。',
  '会議は明日の午後三時からです。',
  'ﾊﾝｶｸｶﾀｶﾅのファイル名に注意。',
  '請求書を送ってください。',
  'ガンダムのポスターを外した。',
  'パスワードを忘れた人はいますか？',
  '東京都庁で会いましょう。',
];

const ko = [
  '안녕하세요, 오늘 배포는 몇 시예요?',
  '서버가 다시 죽었습니다.',
  '회의는 내일 오후 세 시입니다.',
  '비밀번호를 바꿔 주세요.',
  '한글 이름이 있는 파일입니다.',
  '데이터베이스 백업이 실패했어요.',
  '점심은 김치찌개 어때요?',
  '새 버전이 나왔습니다.',
];

const th = [
  'สวัสดีครับ วันนี้เราจะปล่อยเวอร์ชันใหม่',
  'เซิร์ฟเวอร์ล่มอีกแล้ว',
  'ประชุมพรุ่งนี้ตอนบ่ายสามโมง',
  'ใครรู้รหัสผ่านของเครื่องพิมพ์',
  'กรุณาส่งใบแจ้งหนี้ให้ลูกค้า',
  'น้ำดื่มหมดแล้ว',
];

const code = [
  'PLT-3699 is a duplicate of PLT-36.',
  'See plt 3699 and plt-3700 before you merge.',
  'getUserId(user_id) returns null for guests.',
  'const userId = await getUserById(42);',
  'HTTPServer and XMLHttpRequest are old names.',
  'The variable SEARCH_LANGUAGES takes a list.',
  'npm run bench -- --only search',
  '__init__ is called before __repr__.',
  'Version v2.1.0 fixes CVE-2025-71329.',
  'Docs: https://example.org/docs/Setup.md#step-2',
  'http://intern.example/wiki/Größe?x=1',
  "`SELECT * FROM people WHERE name LIKE 'a%'`",
  'Write to ops@example.org or call +49 30 1234567.',
  'The function snake_case_with_many_parts is slow.',
  'kubectl rollout restart deployment/chat-server',
  'a/b/c d.e.f g-h-i',
  'ca is short, cab is longer',
];

const emoji = [
  'Well done 👍🏽 everyone!',
  '👍',
  'Shipped 🚀🚀 and then ❤️',
  '👩‍💻 works from home today',
  'Flags: 🇨🇭 🇩🇪',
  '1️⃣ first, 2️⃣ second',
  '🦊 and 🐻‍❄️ are friends',
];

export const SIGNS = { zh, ja, ko, th, code, emoji };
