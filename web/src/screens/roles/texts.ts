import { catalogue } from "../../texts/texts.js";
import type { Resource, Scope } from "./grants.js";

interface Group {
  readonly name: string;
  readonly read?: string;
  readonly write?: string;
  readonly approve?: string;
}

const resources: Record<Resource, Group> = {
  attendance: {
    name: "Attendance",
    read: "See clock-ins, hours and Today",
    write: "Clock in; make exemptions",
    approve: "Judge flagged clock-ins, overtime and faces",
  },
  correction: {
    name: "Corrections",
    read: "See corrections",
    write: "Ask for a correction",
    approve: "Decide corrections",
  },
  leave: { name: "Leave", read: "See leave and balances", write: "Ask for leave", approve: "Decide leave" },
  shift: { name: "Shifts and roster", read: "See the roster", write: "Plan shifts" },
  time: { name: "Time entries", read: "See booked time", write: "Book time", approve: "Decide weeks" },
  coordinate: { name: "Positions", read: "See where people are", write: "Report their position" },
  task: { name: "Tasks", read: "See tasks", write: "Make and change tasks" },
  project: { name: "Projects", write: "Make and change projects" },
  ticket: { name: "Tickets", read: "See tickets", write: "Make and answer tickets" },
  report: { name: "Reports", read: "See reports", write: "Make and schedule reports" },
  user: { name: "People", read: "See people", write: "Add, change, invite and deactivate people" },
  role: { name: "Roles", write: "Make, change and give roles" },
  organization: {
    name: "Organization",
    read: "See where who may clock in",
    write: "Change businesses, sites, holidays and leave types",
  },
  device: { name: "Devices", read: "See devices", write: "Take devices away" },
  session: { name: "Sessions", read: "See sessions", write: "End sessions" },
  message: { name: "Messages", read: "See messages", write: "Send messages again" },
  audit: { name: "Audit", read: "See the audit" },
  company: { name: "Company", write: "Change settings and lock periods" },
  developer: { name: "Programs", read: "See the API and its keys", write: "Make API keys" },
};

const scopes: Record<Scope, string> = { own: "Own", team: "Team", all: "All" };

const en = {
  hint: "What a role may do, and for whom: Own for the person, Team for the people in businesses that they manage, All for the company.",
  permission: "May",
  none: "No",
  scopes,
  scopeNames: {
    "": "No",
    own: "Own: for themself",
    team: "Team: for whom they manage",
    all: "All: for the company",
  } as Record<string, string>,
  resources,
  builtin: "built in",
  people: (n: number) => (n === 1 ? "1 person" : `${n} people`),
  add: "New role",
  change: "Change",
  changeNamed: (name: string) => `Change ${name}`,
  delete: "Delete",
  newHeading: "New role",
  name: "Name",
  like: "Begin as",
  nothing: "Nothing",
  beyond: "You cannot give more than you may yourself.",
  changeAsk: (name: string, n: number) =>
    n === 1 ? `Change ${name}, which 1 person has?` : `Change ${name}, which ${n} people have?`,
  changes: (n: number) =>
    n === 1 ? "1 permission changes, from their next click on." : `${n} permissions change, from their next click on.`,
  renamed: "Only the name changes.",
  deleteAsk: (name: string) => `Delete ${name}?`,
  deleteHint: "Nobody has it. This cannot be taken back.",
  inUse: (n: number) =>
    n === 1
      ? "1 person has it; give them another role before you delete it."
      : `${n} people have it; give them another role before you delete it.`,
  created: (name: string) => `${name} was made.`,
  changed: (name: string) => `${name} was changed.`,
  deleted: (name: string) => `${name} was deleted.`,
  table: "Roles and permissions",
};

const id: typeof en = {
  hint: "Apa yang boleh dilakukan suatu peran, dan untuk siapa: Sendiri untuk orangnya, Tim untuk orang di unit yang dipimpinnya, Semua untuk perusahaan.",
  permission: "Boleh",
  none: "Tidak",
  scopes: { own: "Sendiri", team: "Tim", all: "Semua" },
  scopeNames: {
    "": "Tidak",
    own: "Sendiri: untuk dirinya",
    team: "Tim: untuk yang dipimpinnya",
    all: "Semua: untuk perusahaan",
  },
  resources: {
    attendance: {
      name: "Kehadiran",
      read: "Melihat absen, jam kerja, dan Hari ini",
      write: "Absen; membuat pengecualian",
      approve: "Menilai absen bertanda, lembur, dan wajah",
    },
    correction: { name: "Koreksi", read: "Melihat koreksi", write: "Meminta koreksi", approve: "Memutuskan koreksi" },
    leave: { name: "Cuti", read: "Melihat cuti dan sisanya", write: "Meminta cuti", approve: "Memutuskan cuti" },
    shift: { name: "Shift dan jadwal", read: "Melihat jadwal", write: "Menjadwalkan shift" },
    time: {
      name: "Catatan waktu",
      read: "Melihat catatan waktu",
      write: "Mencatat waktu",
      approve: "Memutuskan minggu",
    },
    coordinate: { name: "Posisi", read: "Melihat posisi orang", write: "Melaporkan posisinya" },
    task: { name: "Tugas", read: "Melihat tugas", write: "Membuat dan mengubah tugas" },
    project: { name: "Proyek", write: "Membuat dan mengubah proyek" },
    ticket: { name: "Tiket", read: "Melihat tiket", write: "Membuat dan menjawab tiket" },
    report: { name: "Laporan", read: "Melihat laporan", write: "Membuat dan menjadwalkan laporan" },
    user: {
      name: "Karyawan",
      read: "Melihat karyawan",
      write: "Menambah, mengubah, mengundang, dan menonaktifkan karyawan",
    },
    role: { name: "Peran", write: "Membuat, mengubah, dan memberi peran" },
    organization: {
      name: "Organisasi",
      read: "Melihat siapa boleh absen di mana",
      write: "Mengubah unit, lokasi, hari libur, dan jenis cuti",
    },
    device: { name: "Perangkat", read: "Melihat perangkat", write: "Mencabut perangkat" },
    session: { name: "Sesi", read: "Melihat sesi", write: "Mengakhiri sesi" },
    message: { name: "Pesan", read: "Melihat pesan", write: "Mengirim ulang pesan" },
    audit: { name: "Audit", read: "Melihat audit" },
    company: { name: "Perusahaan", write: "Mengubah pengaturan dan mengunci periode" },
    developer: { name: "Program", read: "Melihat API dan kuncinya", write: "Membuat kunci API" },
  },
  builtin: "bawaan",
  people: (n) => `${n} orang`,
  add: "Peran baru",
  change: "Ubah",
  changeNamed: (name) => `Ubah ${name}`,
  delete: "Hapus",
  newHeading: "Peran baru",
  name: "Nama",
  like: "Mulai seperti",
  nothing: "Kosong",
  beyond: "Anda tidak bisa memberi lebih dari yang Anda sendiri boleh.",
  changeAsk: (name, n) => `Ubah ${name}, yang dimiliki ${n} orang?`,
  changes: (n) => `${n} izin berubah, mulai klik mereka berikutnya.`,
  renamed: "Hanya namanya yang berubah.",
  deleteAsk: (name) => `Hapus ${name}?`,
  deleteHint: "Tidak ada yang memilikinya. Ini tidak bisa dibatalkan.",
  inUse: (n) => `${n} orang memilikinya; beri mereka peran lain sebelum Anda menghapusnya.`,
  created: (name) => `${name} sudah dibuat.`,
  changed: (name) => `${name} sudah diubah.`,
  deleted: (name) => `${name} sudah dihapus.`,
  table: "Peran dan izin",
};

export const rolesTexts = catalogue({ en, id });
