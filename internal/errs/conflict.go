package errs

import "maps"

// ConflictReason says which conflict a CONFLICT is.
type ConflictReason string

// The reasons of CONFLICT; conflicts has the text of each, and names in {{with}} the Meta that a
// reason may lack.
const (
	AllowanceExceeded ConflictReason = "ALLOWANCE_EXCEEDED" // Meta: year, remainingDays
	AlreadyRequested  ConflictReason = "ALREADY_REQUESTED"  // Meta: state
	Archived          ConflictReason = "ARCHIVED"           // Meta: shift
	ChangedMeanwhile  ConflictReason = "CHANGED_MEANWHILE"  // somebody else changed it since it was read or asked for
	Corrected         ConflictReason = "CORRECTED"          // corrections of a time entry need it
	Duplicate         ConflictReason = "DUPLICATE"          // Meta: date
	Ended             ConflictReason = "ENDED"              // a report or an import, which cannot be cancelled
	HasCode           ConflictReason = "HAS_CODE"           // a message with a code, which is sent once
	HasPassword       ConflictReason = "HAS_PASSWORD"       // somebody who needs no invitation
	HasTasks          ConflictReason = "HAS_TASKS"          // Meta: tasks, entries, children
	InUse             ConflictReason = "IN_USE"             // Meta: what uses it, such as users
	LastOwner         ConflictReason = "LAST_OWNER"         // the company would have no owner
	LimitReached      ConflictReason = "LIMIT_REACHED"      // Meta: max
	LockedPeriod      ConflictReason = "LOCKED_PERIOD"      // Meta: lockedFrom, lockedUntil; state of a submitted week
	NoDays            ConflictReason = "NO_DAYS"            // leave that applies to no date
	NoFace            ConflictReason = "NO_FACE"            // no face is registered
	NotEmpty          ConflictReason = "NOT_EMPTY"          // Meta: users, children, addresses
	NotLocked         ConflictReason = "NOT_LOCKED"         // a time entry that is changed, and not corrected
	NotPending        ConflictReason = "NOT_PENDING"        // Meta: state
	OneShiftADay      ConflictReason = "ONE_SHIFT_A_DAY"    // Meta: shift, otherShift, date
	OnLeave           ConflictReason = "ON_LEAVE"           // Meta: leaveOn
	Overlap           ConflictReason = "OVERLAP"            // Meta: date; since, until and attendanceId
	ShiftOverlap      ConflictReason = "SHIFT_OVERLAP"      // Meta: shift, date, otherShift, otherDate
	State             ConflictReason = "STATE"              // Meta: state
	TextGone          ConflictReason = "TEXT_GONE"          // a message that arrived or expired
	TimerRunning      ConflictReason = "TIMER_RUNNING"      // Meta: since
	TooLate           ConflictReason = "TOO_LATE"           // Meta: until, since or date
	Worked            ConflictReason = "WORKED"             // Meta: attendances, corrections or date
)

// conflicts are the texts of the reasons of CONFLICT, in English and Indonesian.
var conflicts = map[ConflictReason][2]string{
	AllowanceExceeded: {"Of the allowance for {{.year}}, {{.remainingDays}} days are left.",
		"Sisa jatah untuk {{.year}} adalah {{.remainingDays}} hari."},
	AlreadyRequested: {"This was requested already{{with .state}}: it is {{.}}{{end}}.",
		"Ini sudah diajukan{{with .state}}: {{.}}{{end}}."},
	Archived: {"{{with .shift}}{{.}}{{else}}This{{end}} is archived. Choose another one.",
		"{{with .shift}}{{.}}{{else}}Data ini{{end}} sudah diarsipkan. Pilih yang lain."},
	ChangedMeanwhile: {"This has changed meanwhile. Read it again before you retry.",
		"Data ini sudah berubah. Muat ulang sebelum mencoba lagi."},
	Corrected: {"Corrections of this time entry need its time. Correct it again instead.",
		"Koreksi entri waktu ini memerlukan waktunya. Buatlah koreksi lain."},
	Duplicate: {"The same is already stored{{with .date}} for {{.}}{{end}}.",
		"Data yang sama sudah ada{{with .date}} untuk {{.}}{{end}}."},
	Ended: {"This has ended already, so it cannot be cancelled.",
		"Ini sudah selesai sehingga tidak dapat dibatalkan."},
	HasCode: {"This message has a code, which is never sent again. The person can ask for another one.",
		"Pesan ini berisi kode yang tidak pernah dikirim ulang. Penerima dapat meminta kode baru."},
	HasPassword: {"The person has a password already, so they need no invitation.",
		"Orang ini sudah memiliki kata sandi sehingga tidak memerlukan undangan."},
	HasTasks: {"This is still used. Tasks: {{.tasks}}, time entries: {{.entries}}" +
		"{{with .children}}, categories below it: {{.}}{{end}}.",
		"Data ini masih dipakai. Tugas: {{.tasks}}, entri waktu: {{.entries}}" +
			"{{with .children}}, kategori di bawahnya: {{.}}{{end}}."},
	InUse: {"This is still used, so it cannot be deleted.{{with .users}} People who have it: {{.}}.{{end}}",
		"Data ini masih dipakai sehingga tidak dapat dihapus.{{with .users}} Masih ada {{.}} orang.{{end}}"},
	LastOwner: {"The company would have no owner left. Make somebody else an owner first.",
		"Perusahaan tidak akan memiliki pemilik lagi. Jadikan orang lain pemilik terlebih dahulu."},
	LimitReached: {"There are {{.max}} of these already, which is the limit. Delete one first.",
		"Sudah ada {{.max}}, yaitu batasnya. Hapus salah satu terlebih dahulu."},
	LockedPeriod: {"The period from {{.lockedFrom}} to {{.lockedUntil}} is locked.",
		"Periode {{.lockedFrom}} sampai {{.lockedUntil}} terkunci."},
	NoDays: {"Leave applies to none of these dates: they are days off, holidays or days of other leave.",
		"Cuti tidak berlaku pada tanggal-tanggal ini karena hari libur atau sudah ada cuti lain."},
	NoFace: {"No face is registered, so there is none to reset.",
		"Belum ada wajah terdaftar yang dapat diatur ulang."},
	NotEmpty: {"This is not empty. People who have it: {{.users}}. Parts below it: {{.children}}." +
		"{{with .addresses}} Its work sites: {{.}}.{{end}}",
		"Masih ada {{.users}} orang dan {{.children}} bagian di bawahnya." +
			"{{with .addresses}} Masih ada {{.}} lokasi kerja.{{end}}"},
	NotLocked: {"This time entry is not locked. Change it instead of correcting it.",
		"Entri waktu ini tidak terkunci. Ubahlah entri itu sendiri."},
	NotPending: {"Nothing here waits for a decision{{with .state}}: it is {{.}}{{end}}.",
		"Tidak ada yang menunggu keputusan{{with .state}}: {{.}}{{end}}."},
	OneShiftADay: {"{{.shift}} and {{.otherShift}} are both on {{.date}}; a person may have one shift a day.",
		"{{.shift}} dan {{.otherShift}} sama-sama pada {{.date}}; setiap orang hanya boleh satu shift sehari."},
	OnLeave: {"There is approved leave on {{.leaveOn}}.",
		"Ada cuti yang disetujui pada {{.leaveOn}}."},
	Overlap: {"The time overlaps with another record of the same person{{with .date}} on {{.}}{{end}}" +
		"{{with .since}}, from {{.}}{{end}}{{with .until}} to {{.}}{{end}}.",
		"Waktu ini bertumpang tindih dengan catatan lain dari orang yang sama{{with .date}} pada {{.}}{{end}}" +
			"{{with .since}}, dari {{.}}{{end}}{{with .until}} sampai {{.}}{{end}}."},
	ShiftOverlap: {"{{.shift}} on {{.date}} and {{.otherShift}} on {{.otherDate}} are at the same time.",
		"{{.shift}} pada {{.date}} dan {{.otherShift}} pada {{.otherDate}} bersamaan."},
	State: {"This is not possible in the state {{.state}}.",
		"Ini tidak dapat dilakukan dalam status {{.state}}."},
	TextGone: {"The text of this message is no longer kept: it has arrived, failed or expired.",
		"Teks pesan ini tidak disimpan lagi karena sudah sampai, gagal, atau kedaluwarsa."},
	TimerRunning: {"A timer is running{{with .since}} since {{.}}{{end}}. Stop it first.",
		"Ada pengukur waktu yang berjalan{{with .since}} sejak {{.}}{{end}}. Hentikan terlebih dahulu."},
	TooLate: {"It is too late for this{{with .until}}: it was possible until {{.}}{{end}}" +
		"{{with .since}}: the shift began {{.}}{{end}}{{with .date}}: the date was {{.}}{{end}}.",
		"Sudah terlambat{{with .until}}: batasnya {{.}}{{end}}" +
			"{{with .since}}: shift dimulai {{.}}{{end}}{{with .date}}: tanggalnya {{.}}{{end}}."},
	Worked: {"A shift that would go has attendances or requested corrections{{with .date}} on {{.}}{{end}}." +
		"{{with .attendances}} Attendances: {{.}}.{{end}}{{with .corrections}} Corrections: {{.}}.{{end}}",
		"Shift yang akan dihapus memiliki absensi atau pengajuan koreksi{{with .date}} pada {{.}}{{end}}." +
			"{{with .attendances}} Absensi: {{.}}.{{end}}{{with .corrections}} Koreksi: {{.}}.{{end}}"},
}

// ConflictTexts returns the templates of the texts of each reason of CONFLICT, in English
// and Indonesian.
func ConflictTexts() map[ConflictReason][2]string { return maps.Clone(conflicts) }

// conflictFact is the fact of a CONFLICT that has its reason.
const conflictFact = "conflict"

// Conflicts returns a CONFLICT error for a reason, with its facts; one member causes it
// unless field is "".
func Conflicts(reason ConflictReason, field string, meta Meta) *Error {
	facts := Meta{conflictFact: string(reason)}
	maps.Copy(facts, meta)
	if field == "" {
		return New(Conflict, facts)
	}
	return Field(Conflict, field, facts)
}

// textID returns the id of the text of a reason.
func (r ConflictReason) textID() string { return Conflict.String() + "." + string(r) }
