package errs

import (
	"net/http"
	"slices"
	"sync"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"
)

// An Entry is the catalogue entry of one code.
type Entry struct {
	Status int
	En, ID Text
}

// A Text is a code's text in one language. Detail is a template over Meta.
type Text struct{ Title, Detail string }

// catalogue is the one table of codes. A detail names only facts that every
// error of its code carries, or tests for them with {{with}}.
var catalogue = map[Code]Entry{
	BadRequest: {http.StatusBadRequest,
		Text{"Bad request", "The request could not be read: it is not well formed."},
		Text{"Permintaan tidak valid", "Permintaan tidak dapat dibaca karena bentuknya salah."}},
	Unauthenticated: {http.StatusUnauthorized,
		Text{"Not signed in", "A valid {{with .token}}{{.}} {{end}}token is needed."},
		Text{"Belum masuk", `{{with .token}}{{if eq . "device"}}Aplikasi di perangkat ini belum terdaftar atau sudah dicabut.` +
			`{{else}}Anda belum masuk atau sesi Anda sudah berakhir; silakan masuk kembali.{{end}}` +
			`{{else}}Permintaan ini tidak disertai tanda pengenal yang berlaku.{{end}}`}},
	InvalidCredentials: {http.StatusUnauthorized,
		Text{"Wrong user name or password", "The user name or the password is wrong."},
		Text{"Nama pengguna atau kata sandi salah", "Nama pengguna atau kata sandi tidak cocok."}},
	Forbidden: {http.StatusForbidden,
		Text{"Not allowed", "You may not do this."},
		Text{"Tidak diizinkan", "Anda tidak berhak melakukan ini."}},
	VerificationRequired: {http.StatusForbidden,
		Text{"Verification required", "{{with .reason}}This device waits for the approval of a manager or an administrator.{{else}}Enter the code that was sent to you first.{{end}}"},
		Text{"Perlu verifikasi", "{{with .reason}}Perangkat ini menunggu persetujuan manajer atau administrator.{{else}}Masukkan dahulu kode yang telah dikirim kepada Anda.{{end}}"}},
	NotFound: {http.StatusNotFound,
		Text{"Not found", "There is nothing here by that name or number."},
		Text{"Tidak ditemukan", "Data yang diminta tidak ditemukan."}},
	MethodNotAllowed: {http.StatusMethodNotAllowed,
		Text{"Method not allowed", "This address does not answer that method."},
		Text{"Metode tidak diizinkan", "Alamat ini tidak melayani metode tersebut."}},
	// Clients compare the details of these two, as Apollo's server writes them.
	PersistedQuery: {http.StatusOK,
		Text{"Persisted queries are not supported", "PersistedQueryNotSupported"},
		Text{"Kueri tersimpan tidak didukung", "PersistedQueryNotSupported"}},
	PersistedQueryUnknown: {http.StatusOK,
		Text{"Persisted query not found", "PersistedQueryNotFound"},
		Text{"Kueri tersimpan tidak ditemukan", "PersistedQueryNotFound"}},
	OperationNotTrusted: {http.StatusForbidden,
		Text{"Operation not trusted", "This is none of the operations that this server runs."},
		Text{"Operasi tidak dipercaya", "Ini bukan salah satu operasi yang dijalankan server ini."}},
	Conflict: {http.StatusConflict,
		Text{"Conflict", "This contradicts what is already stored."},
		Text{"Bentrok", "Data ini bertentangan dengan data yang sudah ada."}},
	AlreadyClockedIn: {http.StatusConflict,
		Text{"Already clocked in", "You have been clocked in since {{.since}}."},
		Text{"Sudah absen masuk", "Anda sudah absen masuk sejak {{.since}}."}},
	NotClockedIn: {http.StatusConflict,
		Text{"Nothing to clock out of", "No open attendance matches this clock-out{{with .since}}; you have been clocked in since {{.}}{{end}}."},
		Text{"Tidak ada absen untuk ditutup", "Tidak ada absen masuk terbuka yang cocok dengan absen keluar ini{{with .since}}; Anda sudah absen masuk sejak {{.}}{{end}}."}},
	NoRunningTimer: {http.StatusConflict,
		Text{"No running timer", "No timer is running."},
		Text{"Tidak ada pengukur waktu", "Tidak ada pengukur waktu yang berjalan."}},
	TaskInUse: {http.StatusConflict,
		Text{"Task in use", "Time is booked on this task."},
		Text{"Tugas sedang dipakai", "Sudah ada waktu yang dicatat pada tugas ini."}},
	DesignationInUse: {http.StatusConflict,
		Text{"Designation in use", "This designation still has users or designations below it."},
		Text{"Jabatan sedang dipakai", "Jabatan ini masih memiliki pengguna atau jabatan di bawahnya."}},
	ReportNotReady: {http.StatusConflict,
		Text{"Report not ready", "The report has no file{{with .status}}: it is {{.}}{{end}}."},
		Text{"Laporan belum siap", "Laporan belum memiliki berkas{{with .status}}: {{.}}{{end}}."}},
	VersionConflict: {http.StatusConflict,
		Text{"Changed meanwhile", "Someone else has changed this since you read it."},
		Text{"Sudah berubah", "Data ini sudah diubah orang lain sejak Anda membacanya."}},
	IdempotencyInProgress: {http.StatusConflict,
		Text{"Still in progress", "The first request with this Idempotency-Key is still running."},
		Text{"Masih diproses", "Permintaan pertama dengan Idempotency-Key ini masih diproses."}},
	PreconditionFailed: {http.StatusPreconditionFailed,
		Text{"Not this version", "The file is not the version that If-Match or If-Unmodified-Since asks for."},
		Text{"Bukan versi ini", "Berkas bukan versi yang diminta oleh If-Match atau If-Unmodified-Since."}},
	PayloadTooLarge: {http.StatusRequestEntityTooLarge,
		Text{"Too large", "The request is larger than {{with .limit}}{{.}} bytes{{else}}allowed{{end}}."},
		Text{"Terlalu besar", "Permintaan melebihi {{with .limit}}{{.}} byte{{else}}batas{{end}}."}},
	UnsupportedMediaType: {http.StatusUnsupportedMediaType,
		Text{"Unsupported media type", "{{with .allowed}}The file is of a type that is not read here; send {{.}}." +
			"{{else}}This address does not read that content type.{{end}}"},
		Text{"Jenis media tidak didukung", "{{with .allowed}}Jenis berkas ini tidak dibaca di sini; kirim {{.}}." +
			"{{else}}Alamat ini tidak membaca jenis konten tersebut.{{end}}"}},
	RangeNotSatisfiable: {http.StatusRequestedRangeNotSatisfiable,
		Text{"No such part", "The file has no part like the one that Range asks for; Content-Range says its size."},
		Text{"Bagian tidak ada", "Berkas tidak memiliki bagian yang diminta Range; Content-Range menyebut ukurannya."}},
	Invalid: {http.StatusUnprocessableEntity,
		Text{"Invalid input", "Some of what was sent is missing or wrong; see errors."},
		Text{"Masukan tidak valid", "Sebagian data yang dikirim kurang atau salah; lihat errors."}},
	OTPInvalid: {http.StatusUnprocessableEntity,
		Text{"Wrong code", "The code is wrong."},
		Text{"Kode salah", "Kode tidak cocok."}},
	OTPExpired: {http.StatusUnprocessableEntity,
		Text{"Code expired", "The code has expired; ask for a new one."},
		Text{"Kode kedaluwarsa", "Kode sudah kedaluwarsa; mintalah kode baru."}},
	OTPExhausted: {http.StatusUnprocessableEntity,
		Text{"Too many wrong codes", "Too many wrong tries; ask for a new code."},
		Text{"Terlalu banyak kode salah", "Terlalu banyak percobaan salah; mintalah kode baru."}},
	PasswordWeak: {http.StatusUnprocessableEntity,
		Text{"Password too weak", `{{if eq .reason "length"}}Choose a password of {{.min}} to {{.max}} characters.` +
			`{{else if eq .reason "personal"}}Choose a password that is not made of your name, e-mail address, phone number or company.` +
			`{{else if eq .reason "common"}}This is one of the most common passwords; choose another.` +
			`{{else if eq .reason "reused"}}This is one of your last 5 passwords; choose another.` +
			`{{else}}Choose a password of {{.min}} to {{.max}} characters that is hard to guess.{{end}}`},
		Text{"Kata sandi terlalu lemah", `{{if eq .reason "length"}}Pilih kata sandi {{.min}} sampai {{.max}} karakter.` +
			`{{else if eq .reason "personal"}}Pilih kata sandi yang tidak terdiri dari nama, alamat email, nomor telepon, atau perusahaan Anda.` +
			`{{else if eq .reason "common"}}Ini salah satu kata sandi yang paling umum; pilih yang lain.` +
			`{{else if eq .reason "reused"}}Ini salah satu dari 5 kata sandi terakhir Anda; pilih yang lain.` +
			`{{else}}Pilih kata sandi {{.min}} sampai {{.max}} karakter yang sulit ditebak.{{end}}`}},
	PasswordKeyInvalid: {http.StatusUnprocessableEntity,
		Text{"Password cannot be decrypted", "The password is not encrypted for a key that is in use."},
		Text{"Kata sandi tidak dapat dibuka", "Kata sandi tidak disandikan dengan kunci yang berlaku."}},
	NoShift: {http.StatusUnprocessableEntity,
		Text{"No shift", "You have no shift today."},
		Text{"Tidak ada shift", "Anda tidak memiliki shift hari ini."}},
	ShiftWindowClosed: {http.StatusUnprocessableEntity,
		Text{"Outside the clock-in time", "Clocking in for this shift is possible from {{.clockInFrom}} to {{.clockInUntil}}."},
		Text{"Di luar waktu absen", "Absen masuk untuk shift ini dibuka dari {{.clockInFrom}} sampai {{.clockInUntil}}."}},
	LocationNotAllowed: {http.StatusUnprocessableEntity,
		Text{"Work site not allowed", "You may not clock in at this work site."},
		Text{"Lokasi tidak diizinkan", "Anda tidak boleh absen di lokasi ini."}},
	OutsideLocation: {http.StatusUnprocessableEntity,
		Text{"Outside the work site", "You are {{.distanceMeters}} m from {{.address}}; the limit is {{.radiusMeters}} m."},
		Text{"Di luar lokasi", "Anda berada {{.distanceMeters}} m dari {{.address}}; batasnya {{.radiusMeters}} m."}},
	LowAccuracy: {http.StatusUnprocessableEntity,
		Text{"Position too inaccurate", "The position is accurate to {{.accuracyMeters}} m only; the limit is {{.limitMeters}} m."},
		Text{"Posisi kurang akurat", "Akurasi posisi hanya {{.accuracyMeters}} m; batasnya {{.limitMeters}} m."}},
	PositionMocked: {http.StatusUnprocessableEntity,
		Text{"Position made up", "The phone says that the position is made up. Turn off apps that do so."},
		Text{"Posisi palsu", "Ponsel menyatakan posisi ini palsu. Matikan aplikasi yang memalsukannya."}},
	PositionImplausible: {http.StatusUnprocessableEntity,
		Text{"Position implausible", "From your last position to this one is {{.speedKmh}} km/h; the limit is {{.limitKmh}} km/h."},
		Text{"Posisi tidak masuk akal", "Dari posisi terakhir Anda ke posisi ini berarti {{.speedKmh}} km/jam; batasnya {{.limitKmh}} km/jam."}},
	DeviceNotAllowed: {http.StatusUnprocessableEntity,
		Text{"Device not allowed", "Somebody else clocked in or out with this device on the same date."},
		Text{"Perangkat tidak diizinkan", "Perangkat ini sudah dipakai absen oleh orang lain pada tanggal yang sama."}},
	FaceRequired: {http.StatusUnprocessableEntity,
		Text{"Face required", "Face data is needed."},
		Text{"Perlu data wajah", "Data wajah diperlukan."}},
	FaceInvalid: {http.StatusUnprocessableEntity,
		Text{"Face data unusable", "The face data is not usable."},
		Text{"Data wajah tidak valid", "Data wajah tidak dapat dipakai."}},
	FaceMismatch: {http.StatusUnprocessableEntity,
		Text{"Face does not match", "The face does not match the registered one."},
		Text{"Wajah tidak cocok", "Wajah tidak cocok dengan yang terdaftar."}},
	FaceReplayed: {http.StatusUnprocessableEntity,
		Text{"Face data already used", "This face data was used before."},
		Text{"Data wajah pernah dipakai", "Data wajah ini pernah dipakai sebelumnya."}},
	RecordedAtOutOfRange: {http.StatusUnprocessableEntity,
		Text{"Recorded time out of range", "The recorded time must lie between {{.earliest}} and {{.latest}}."},
		Text{"Waktu rekam di luar batas", "Waktu rekam harus di antara {{.earliest}} dan {{.latest}}."}},
	Cycle: {http.StatusUnprocessableEntity,
		Text{"Cycle", "Nothing can be moved below itself, or merged into itself or what is below it."},
		Text{"Berputar", "Data tidak dapat dipindahkan ke bawah dirinya sendiri, atau digabungkan ke dirinya sendiri atau ke bawahannya."}},
	IdempotencyMismatch: {http.StatusUnprocessableEntity,
		Text{"Idempotency key reused", "This Idempotency-Key was used with another request."},
		Text{"Idempotency-Key dipakai ulang", "Idempotency-Key ini sudah dipakai untuk permintaan lain."}},
	UpgradeRequired: {http.StatusUpgradeRequired,
		Text{"Update the app", "Version {{.minimumVersion}} or newer of the app is needed."},
		Text{"Perbarui aplikasi", "Diperlukan aplikasi versi {{.minimumVersion}} atau lebih baru."}},
	RateLimited: {http.StatusTooManyRequests,
		Text{"Too many requests", "Too many requests; try again in {{.retryAfterSeconds}} seconds."},
		Text{"Terlalu banyak permintaan", "Terlalu banyak permintaan; coba lagi dalam {{.retryAfterSeconds}} detik."}},
	Internal: {http.StatusInternalServerError,
		Text{"Internal error", "Something went wrong on our side."},
		Text{"Kesalahan internal", "Terjadi kesalahan di pihak kami."}},
	Unavailable: {http.StatusServiceUnavailable,
		Text{"Unavailable for the moment", "The service is unavailable for the moment; try again shortly."},
		Text{"Sementara tidak tersedia", "Layanan sementara tidak tersedia; coba lagi sebentar lagi."}},
}

// reasons are the texts of what is wrong with one member, in English and Indonesian.
var reasons = map[Reason][2]string{
	Required:   {"This is required.", "Wajib diisi."},
	WrongType:  {"This must be {{.expected}}.", "Harus berupa {{.expected}}."},
	BadFormat:  {"{{with .part}}{{.}}{{else}}This{{end}} must look like {{.expected}}.", "{{with .part}}{{.}} harus{{else}}Harus{{end}} seperti {{.expected}}."},
	TooLong:    {"This may have at most {{.max}} characters.", "Maksimal {{.max}} karakter."},
	OutOfRange: {"This must lie between {{.min}} and {{.max}}.", "Harus di antara {{.min}} dan {{.max}}."},
	Twice:      {"{{.value}} is listed twice.", "{{.value}} tercantum dua kali."},
	NotOneOf:   {"{{with .part}}{{.}}{{else}}This{{end}} must be one of {{.allowed}}.", "{{with .part}}{{.}} harus{{else}}Harus{{end}} salah satu dari {{.allowed}}."},
	Needs:      {"{{with .part}}{{.}}{{else}}This{{end}} needs {{.other}} beside it.", "{{with .part}}{{.}} harus{{else}}Harus{{end}} disertai {{.other}}."},
	Excludes: {"{{with .part}}{{.}}{{else}}This{{end}} may not be given together with {{.other}}.",
		"{{with .part}}{{.}} tidak{{else}}Tidak{{end}} boleh disertai {{.other}}."},
	WrongSecret: {"This is wrong.", "Tidak cocok."},
	AlreadyTaken: {"{{with .names}}Already taken there: {{.}}. Rename here or there first.{{else}}This is already taken.{{end}}",
		"{{with .names}}Sudah dipakai di sana: {{.}}. Ubah dahulu namanya di sini atau di sana.{{else}}Sudah dipakai.{{end}}"},
	Unreadable: {"{{with .line}}Line {{.}} cannot be read.{{else}}This cannot be read.{{end}}",
		"{{with .line}}Baris {{.}} tidak dapat dibaca.{{else}}Tidak dapat dibaca.{{end}}"},
	Moving: {"A moving picture is not accepted; send a still one.", "Gambar bergerak tidak diterima; kirim gambar diam."},
	Coding: {"A JPEG of this coding is not read; save it as baseline or progressive.",
		"JPEG dengan pengodean ini tidak dibaca; simpan sebagai baseline atau progresif."},
	NotUTF8: {"{{with .line}}Line {{.}} is no UTF-8 text{{else}}This is no UTF-8 text{{end}}; save the file in UTF-8.",
		"{{with .line}}Baris {{.}} bukan teks UTF-8{{else}}Ini bukan teks UTF-8{{end}}; simpan berkas dalam UTF-8."},
	EmptyFile: {"The file is empty; export it anew.", "Berkas ini kosong; ekspor ulang."},
	WebPage:   {"This is a web page; download the file itself.", "Ini halaman web; unduh berkasnya sendiri."},
	Invisible: {"This may not contain invisible characters.", "Tidak boleh memuat karakter tak terlihat."},
	NotPlain: {"This may not contain line breaks or control characters, such as those that turn the direction of text.",
		"Tidak boleh memuat ganti baris atau karakter kontrol, misalnya yang membalik arah teks."},
	TooMany:   {"This may have at most {{.max}} entries.", "Maksimal {{.max}} entri."},
	Unknown:   {"Nothing has this name.", "Tidak ada yang bernama ini."},
	Ambiguous: {"Several have this name; write the path, such as Jakarta / Finance.", "Ada beberapa yang bernama ini; tulis jalurnya, misalnya Jakarta / Keuangan."},
	SameAs:    {"This must differ from {{.other}}.", "Harus berbeda dari {{.other}}."},
	NotWithin: {"This must lie within {{.other}}.", "Harus berada di dalam {{.other}}."},
	Crosses:   {"This covers the same time as another of {{.other}}.", "Waktunya bertumpang tindih dengan {{.other}} lain."},

	UnknownColumn:  {"No column has this name; the columns are {{.allowed}}.", "Tidak ada kolom bernama ini; kolomnya {{.allowed}}."},
	RepeatedColumn: {"The table has this column twice.", "Tabel memiliki kolom ini dua kali."},
	MissingColumn:  {"The table needs a column {{.columns}}.", "Tabel memerlukan kolom {{.columns}}."},
	OutsideHeader: {"The header names no column here; name it there, or empty this cell.",
		"Baris judul tidak menamai kolom ini; beri nama di sana atau kosongkan sel ini."},
	OpenQuote: {"The quote that opens in line {{.line}} is not closed behind its cell; " +
		"close it, and double those within.",
		"Tanda kutip yang dibuka di baris {{.line}} tidak ditutup di akhir selnya; " +
			"tutup, dan gandakan kutip di dalamnya."},
	QuoteWithin: {"Line {{.line}} has a quote within a cell; put the cell in quotes, and double those within.",
		"Baris {{.line}} memiliki tanda kutip di dalam sel; apit sel itu dengan kutip, dan gandakan kutip di dalamnya."},
	CellError: {"The cell shows the error {{.value}}; correct its formula.", "Sel menampilkan galat {{.value}}; perbaiki rumusnya."},
	NoValue: {"The cell's formula has no value yet; open the file in a spreadsheet and save it.",
		"Rumus sel ini belum memiliki nilai; buka berkas di aplikasi spreadsheet lalu simpan."},

	WrongEnd: {"The event must end 1 to {{.max}} days after it starts; this is the day after its last.",
		"Acara harus berakhir 1 sampai {{.max}} hari setelah mulai; isi dengan hari setelah hari terakhirnya."},
	WrongLength: {"{{.value}} is not 1 to {{.max}} whole days; write such a length, for example P1D.",
		"{{.value}} bukan 1 sampai {{.max}} hari penuh; tulis lama seperti itu, misalnya P1D."},
	TimedEvent: {"A holiday lasts whole days; this event has a time.", "Hari libur berlangsung sehari penuh; acara ini memiliki jam."},
	NoDates: {"The rule gives no further date within ten years.",
		"Aturan ini tidak menghasilkan tanggal berikutnya dalam sepuluh tahun."},
	TooOften: {"The rule gives more than {{.max}} dates a year.", "Aturan ini menghasilkan lebih dari {{.max}} tanggal setahun."},
	OwnEvent: {"A change of this date and all later ones is not read, and these dates are left out; " +
		"make them an event with a UID of its own.",
		"Perubahan tanggal ini dan semua tanggal sesudahnya tidak dibaca, dan tanggal-tanggal itu dilewati; " +
			"jadikan acara dengan UID sendiri."},

	Alias: {"Aliases, anchors and tags of YAML are not read; write the value itself.",
		"Alias, anchor, dan tag YAML tidak dibaca; tulis nilainya sendiri."},
	UnknownMember: {"No member has this name; there are {{.allowed}}.",
		"Tidak ada isian bernama ini; yang ada {{.allowed}}."},
	SameName: {"Several in the company have this name; rename all but one there first.",
		"Ada beberapa yang bernama ini di perusahaan; ubah dahulu namanya di sana hingga tersisa satu."},
}

// Codes returns the codes that the service answers with, sorted as clients see them.
func Codes() []Code { return slices.Clone(raised) }

// Describe returns the catalogue's entry of a code that the service answers with, as
// clients see it.
func Describe(code string) (Entry, bool) {
	if code == Internal.String() {
		code = ""
	}
	e, ok := catalogue[Code(code)]
	return e, ok && slices.Contains(raised, Code(code))
}

// Status returns the HTTP status of a code.
func (c Code) Status() int { return catalogue[c].Status }

// Languages are those of the service; the first is used where nothing else
// is known.
var Languages = []language.Tag{language.English, language.Indonesian}

// bundle has the tables as the library does that fills the templates. The first error
// needs it, the start does not.
var bundle = sync.OnceValue(newBundle)

func newBundle() *i18n.Bundle {
	b := i18n.NewBundle(Languages[0])
	add := func(tag language.Tag, id, text string) {
		if err := b.AddMessages(tag, &i18n.Message{ID: id, Other: text}); err != nil {
			panic(err) // a malformed template in the tables above
		}
	}
	for code, e := range catalogue {
		add(language.English, code.String()+".title", e.En.Title)
		add(language.English, code.String()+".detail", e.En.Detail)
		add(language.Indonesian, code.String()+".title", e.ID.Title)
		add(language.Indonesian, code.String()+".detail", e.ID.Detail)
	}
	for reason, text := range reasons {
		add(language.English, string(reason), text[0])
		add(language.Indonesian, string(reason), text[1])
	}
	for reason, text := range conflicts {
		add(language.English, reason.textID(), text[0])
		add(language.Indonesian, reason.textID(), text[1])
	}
	return b
}
