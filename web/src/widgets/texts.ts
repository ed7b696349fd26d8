export type Language = "en" | "id";

const en = {
  loading: "Loading…",
  retry: "Try again",
  requestId: "Request",
  old: "Not up to date.",
  timesheet: {
    title: "Working time",
    empty: "No days in this period.",
    day: "Day",
    worked: "Worked",
    status: "Status",
    total: "Total",
    statuses: {
      none: "–",
      present: "Present",
      half_day: "Half day",
      absent: "Absent",
      on_leave: "On leave",
      work_from_home: "From home",
      holiday: "Holiday",
      weekly_off: "Off",
      needs_confirmation: "To confirm",
    } as Record<string, string>,
  },
  tasks: {
    title: "My tasks",
    empty: "Nothing to do.",
    list: "Tasks to do",
    open: "Open",
    inProgress: "In progress",
    overdue: "Overdue",
    doneToday: "Done today",
    statuses: { open: "Open", in_progress: "In progress", done: "Done", cancelled: "Cancelled" } as Record<
      string,
      string
    >,
    running: "Timer running",
  },
  ticket: {
    title: "Tickets",
    empty: "No tickets.",
    list: "Newest tickets",
    open: "Open",
    inProgress: "In progress",
    resolvedToday: "Resolved today",
    statuses: { open: "Open", in_progress: "In progress", resolved: "Resolved", closed: "Closed" } as Record<
      string,
      string
    >,
  },
  priorities: { low: "Low", normal: "Normal", high: "High", urgent: "Urgent" } as Record<string, string>,
  priority: (name: string) => `Priority: ${name}`,
  due: (when: string) => `Due ${when}`,
  late: (when: string) => `Overdue since ${when}`,
  faults: {
    UNAUTHENTICATED: "Access has ended. Load the page anew, or sign in again.",
    NO_TOKEN: "This page has given no access.",
    FORBIDDEN: "You may not see this here.",
    NOT_FOUND: "There is nothing here that you may see.",
    RATE_LIMITED: "Too many requests. It goes on by itself.",
    UNAVAILABLE: "The server is busy. It goes on by itself.",
    UNREACHABLE: "The server cannot be reached, or does not allow this page.",
    BAD_ENDPOINT: "The address of the server is not valid.",
    INTERNAL: "Something went wrong.",
  } as Record<string, string>,
};

const id: typeof en = {
  loading: "Memuat…",
  retry: "Coba lagi",
  requestId: "Permintaan",
  old: "Belum diperbarui.",
  timesheet: {
    title: "Waktu kerja",
    empty: "Tidak ada hari di periode ini.",
    day: "Hari",
    worked: "Bekerja",
    status: "Status",
    total: "Jumlah",
    statuses: {
      none: "–",
      present: "Hadir",
      half_day: "Setengah hari",
      absent: "Tidak hadir",
      on_leave: "Cuti",
      work_from_home: "Dari rumah",
      holiday: "Libur",
      weekly_off: "Libur mingguan",
      needs_confirmation: "Perlu konfirmasi",
    },
  },
  tasks: {
    title: "Tugas saya",
    empty: "Tidak ada tugas.",
    list: "Tugas yang belum selesai",
    open: "Terbuka",
    inProgress: "Dikerjakan",
    overdue: "Terlambat",
    doneToday: "Selesai hari ini",
    statuses: { open: "Terbuka", in_progress: "Dikerjakan", done: "Selesai", cancelled: "Dibatalkan" },
    running: "Timer berjalan",
  },
  ticket: {
    title: "Tiket",
    empty: "Tidak ada tiket.",
    list: "Tiket terbaru",
    open: "Terbuka",
    inProgress: "Dikerjakan",
    resolvedToday: "Teratasi hari ini",
    statuses: { open: "Terbuka", in_progress: "Dikerjakan", resolved: "Teratasi", closed: "Ditutup" },
  },
  priorities: { low: "Rendah", normal: "Normal", high: "Tinggi", urgent: "Mendesak" },
  priority: (name) => `Prioritas: ${name}`,
  due: (when) => `Tenggat ${when}`,
  late: (when) => `Terlambat sejak ${when}`,
  faults: {
    UNAUTHENTICATED: "Akses sudah berakhir. Muat ulang halaman ini, atau masuk lagi.",
    NO_TOKEN: "Halaman ini tidak memberikan akses.",
    FORBIDDEN: "Anda tidak boleh melihat ini di sini.",
    NOT_FOUND: "Tidak ada yang boleh Anda lihat di sini.",
    RATE_LIMITED: "Terlalu banyak permintaan. Akan lanjut sendiri.",
    UNAVAILABLE: "Server sedang sibuk. Akan lanjut sendiri.",
    UNREACHABLE: "Server tidak dapat dihubungi, atau tidak mengizinkan halaman ini.",
    BAD_ENDPOINT: "Alamat server tidak valid.",
    INTERNAL: "Terjadi kesalahan.",
  },
};

const all: Record<Language, typeof en> = { en, id };

export type Texts = typeof en;
export const textsOf = (language: Language): Texts => all[language];

/** The language of an attribute lang: English for every other one. */
export const spoken = (tag: string): Language => (/^id(-|$)/i.test(tag) ? "id" : "en");
