import { catalogue } from "../texts/texts.js";

const en = {
  title: "Widgets",
  intro:
    "Working time, tasks and tickets for the pages of your other sites. Each one shows what a person may see, and reads anew every 30 seconds.",
  language: "Language",
  theme: "Theme",
  themes: { system: "As the system", light: "Light", dark: "Dark" },
  loading: "Looking who is signed in…",
  signedOut: "Sign in to see them with your own data.",
  signIn: "Go to sign-in",
  failed: "It could not be found out who is signed in.",
  retry: "Try again",
  names: { timesheet: "Working time", tasks: "Tasks", ticket: "Tickets" },
  live: (name: string) => `${name}: how it looks`,
  plain: "Plain HTML",
  react: "React",
  copy: "Copy",
  copyNamed: (what: string, name: string) => `Copy ${what}: ${name}`,
  copied: "Copied.",
  notCopied: "The browser does not allow copying. Select the text instead.",
  chosen: (id: string) => `Chosen: ${id}`,
  tokens: "Tokens",
  tokensHint:
    "The address /workforce-token is one of your own server. It asks this server for a token with createWidgetToken, for the person who is signed in at your site, and answers token and expiresAt.",
};

const id: typeof en = {
  title: "Widget",
  intro:
    "Waktu kerja, tugas dan tiket untuk halaman situs Anda yang lain. Masing-masing menampilkan apa yang boleh dilihat seseorang, dan diperbarui setiap 30 detik.",
  language: "Bahasa",
  theme: "Tema",
  themes: { system: "Seperti sistem", light: "Terang", dark: "Gelap" },
  loading: "Memeriksa siapa yang masuk…",
  signedOut: "Masuk untuk melihatnya dengan data Anda sendiri.",
  signIn: "Ke halaman masuk",
  failed: "Tidak dapat diketahui siapa yang masuk.",
  retry: "Coba lagi",
  names: { timesheet: "Waktu kerja", tasks: "Tugas", ticket: "Tiket" },
  live: (name) => `${name}: tampilannya`,
  plain: "HTML biasa",
  react: "React",
  copy: "Salin",
  copyNamed: (what, name) => `Salin ${what}: ${name}`,
  copied: "Sudah disalin.",
  notCopied: "Browser tidak mengizinkan penyalinan. Pilih teksnya saja.",
  chosen: (which) => `Dipilih: ${which}`,
  tokens: "Token",
  tokensHint:
    "Alamat /workforce-token adalah milik server Anda sendiri. Server itu meminta token ke server ini dengan createWidgetToken, untuk orang yang masuk di situs Anda, lalu menjawab token dan expiresAt.",
};

export const texts = catalogue({ en, id });
