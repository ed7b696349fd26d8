import { catalogue } from "../../texts/texts.js";

const en = {
  heading: "What your position is used for",
  clock: "For the clock",
  clockHow: (days: number) =>
    `Your position is read while the clock is open, and sent only when you clock in or out. It is shown with that event for ${days} days.`,
  clockYes: "This phone reads it.",
  clockNo: "This phone does not read it, so you cannot clock in or out here.",
  allow: "Let the clock read my position",
  allowed: "The clock reads your position from now on.",
  duty: "On duty, if you allow it",
  often:
    "How often: only while you are clocked in, as often as your phone's app reports. What is shown is each move of 10 m or more, and where you stay, one position every 15 minutes. This page reports nothing.",
  who: "Who sees it: you, and whose role lets them read your positions, as supervisors, managers, admins and owners may. Each look of somebody else is noted, and shown to you below.",
  long: (days: number) =>
    `For how long: each position is deleted after ${days} days. Once you stop it, nothing more is kept; what was kept stays until its ${days} days are over.`,
};

const id: typeof en = {
  heading: "Untuk apa posisi Anda dipakai",
  clock: "Untuk absen",
  clockHow: (days) =>
    `Posisi Anda dibaca selama halaman absen terbuka, dan hanya dikirim saat Anda absen. Posisi itu tampil bersama absennya selama ${days} hari.`,
  clockYes: "Ponsel ini membacanya.",
  clockNo: "Ponsel ini tidak membacanya, jadi Anda tidak bisa absen di sini.",
  allow: "Izinkan absen membaca posisi saya",
  allowed: "Mulai sekarang absen membaca posisi Anda.",
  duty: "Saat bertugas, bila Anda mengizinkan",
  often:
    "Seberapa sering: hanya selama Anda bertugas, sesering aplikasi ponsel Anda melapor. Yang tampil adalah setiap perpindahan 10 m atau lebih, dan bila Anda diam, satu posisi tiap 15 menit. Halaman ini tidak melaporkan apa pun.",
  who: "Siapa yang melihat: Anda, dan orang yang perannya boleh membaca posisi Anda, seperti supervisor, manajer, admin, dan pemilik. Setiap kali orang lain melihat, itu dicatat dan tampil untuk Anda di bawah.",
  long: (days) =>
    `Berapa lama: setiap posisi dihapus setelah ${days} hari. Begitu Anda menghentikannya, tidak ada lagi yang disimpan; yang sudah tersimpan tetap ada sampai ${days} harinya habis.`,
};

export const positionsTexts = catalogue({ en, id });
