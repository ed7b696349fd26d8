import { catalogue } from "../../texts/texts.js";

const en = {
  heading: "Set a new password",
  lead: "You are signed out on all devices. This browser is trusted from then on: signing in here needs no code.",
  password: "New password",
  passwordHint: "8 characters or more, and none of your last five.",
  submit: "Set password",
  done: "The password is set, and this browser is trusted.",
  signIn: "Go to sign-in",
  incomplete: "A part of the link is missing. Open the whole link, as it was given to you.",
  gone: "This link is not valid any more: it was used, it is older than 24 hours, or there is a newer one. Ask whoever runs the server for another.",
};

const id: typeof en = {
  heading: "Buat kata sandi baru",
  lead: "Anda akan keluar dari semua perangkat. Setelah itu peramban ini tepercaya: masuk di sini tidak perlu kode.",
  password: "Kata sandi baru",
  passwordHint: "Minimal 8 karakter, dan bukan salah satu dari lima kata sandi terakhir Anda.",
  submit: "Simpan kata sandi",
  done: "Kata sandi telah disimpan, dan peramban ini tepercaya.",
  signIn: "Ke halaman masuk",
  incomplete: "Tautan tidak lengkap. Buka tautan seutuhnya, seperti yang diberikan kepada Anda.",
  gone: "Tautan ini tidak berlaku lagi: sudah dipakai, lebih dari 24 jam, atau ada yang lebih baru. Mintalah tautan lain kepada pengelola server.",
};

export const recoverTexts = catalogue({ en, id });
