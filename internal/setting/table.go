package setting

// add puts a setting into the table.
func add[T any](s Setting) Key[T] {
	table = append(table, &s)
	return Key[T]{&s}
}

// always are the settings that every company was created with. They are columns of its
// row.
var always = []*Setting{
	{Name: "timezone", Kind: Zone,
		En: "Zone in which days run where neither a shift nor an address names one, such as Asia/Jakarta; given when the company is created. What is past keeps the zone that it was recorded in.",
		ID: "Zona waktu hari kerja bila sif dan alamat tidak menyebut zona, misalnya Asia/Jakarta; ditentukan saat perusahaan dibuat. Yang sudah lewat tetap memakai zona saat dicatat."},
	{Name: "locale", Kind: Language, Default: "id",
		En: "Language of messages and answers for people who chose none.",
		ID: "Bahasa pesan dan jawaban untuk orang yang tidak memilih bahasa."},
}

// table lists the settings in the order of the page.
var table []*Setting

// The settings.
var (
	CountryCode = add[string](Setting{Name: "country", Kind: Country,
		En: "Country, ISO 3166, in which a phone number of a person without a country code is read; without one, that of the flag --country.",
		ID: "Negara, ISO 3166, untuk membaca nomor telepon tanpa kode negara; bila kosong, negara dari opsi --country."})
	WeeklyOffs = add[[]int](Setting{Name: "weeklyOffs", Kind: Weekdays, Default: []int{},
		En: "Days of the week on which nobody works unless a shift is planned, by ISO: Monday is 1. An address may have its own.",
		ID: "Hari libur mingguan menurut ISO, kecuali ada sif: Senin adalah 1. Alamat boleh memiliki sendiri."})
	FirstWeekday = add[int](Setting{Name: "firstWeekday", Kind: Number, Min: 1, Max: 7, Default: 1,
		En: "First day of the week of rosters and default periods, by ISO: Monday is 1.",
		ID: "Hari pertama dalam minggu untuk jadwal dan periode bawaan menurut ISO: Senin adalah 1."})
	SeveralShifts = add[bool](Setting{Name: "severalShifts", Kind: Switch, Default: true,
		En: "Whether a person may be assigned several shifts on a date, one after the other.",
		ID: "Apakah seseorang boleh mendapat beberapa sif berurutan pada satu tanggal."})

	GeofenceIn = add[string](Setting{Name: "geofenceIn", Kind: Choice, Default: Block, Policy: true,
		En: "What happens to a clock-in outside the radius of the address: block refuses it, flag records it with a flag, off accepts it.",
		ID: "Perlakuan absen masuk di luar radius alamat: block menolak, flag mencatat dengan tanda, off menerima."})
	GeofenceOut = add[string](Setting{Name: "geofenceOut", Kind: Choice, Default: Flag, Policy: true,
		En: "What happens to a clock-out outside the radius of the address.",
		ID: "Perlakuan absen pulang di luar radius alamat."})
	NearestAddress = add[bool](Setting{Name: "nearestAddress", Kind: Switch, Default: false,
		En: "Whether a clock-in that names an address around which its position is not counts for the nearest allowed one whose radius has it, with a flag.",
		ID: "Apakah absen masuk yang posisinya tidak berada di sekitar alamat yang disebut dihitung untuk alamat terdekat yang diizinkan dan radiusnya mencakup posisi itu, dengan tanda."})
	Face = add[string](Setting{Name: "face", Kind: Choice, Default: Flag, Policy: true,
		En: "What happens to a clock-in without a face (block refuses every one, flag marks that of a person whose face is registered), " +
			"and to a face that does not match the registered one or was sent before. Landmarks are weak evidence: see docs/faces.md before block.",
		ID: "Perlakuan absen masuk tanpa wajah (block menolak semuanya, flag menandai milik orang yang wajahnya terdaftar), " +
			"dan wajah yang tidak cocok atau pernah dikirim. Titik wajah adalah bukti lemah: baca docs/faces.md sebelum memilih block."})
	Device = add[string](Setting{Name: "device", Kind: Choice, Default: Flag, Policy: true,
		En: "What happens to a clock-in on a device with which somebody else clocked in or out on the same date.",
		ID: "Perlakuan absen masuk dengan perangkat yang dipakai orang lain pada tanggal yang sama."})
	Accuracy = add[string](Setting{Name: "accuracy", Kind: Choice, Default: Flag, Policy: true,
		En: "What happens to a position that is less accurate than accuracyMeters.",
		ID: "Perlakuan posisi yang kurang akurat dari accuracyMeters."})
	Mock = add[string](Setting{Name: "mock", Kind: Choice, Default: Flag, Policy: true,
		En: "What happens to a position that the phone says is made up.",
		ID: "Perlakuan posisi yang menurut ponsel adalah palsu."})
	Speed = add[string](Setting{Name: "speed", Kind: Choice, Default: Flag, Policy: true,
		En: "What happens to a position that is farther from the last one than speedKmh allows.",
		ID: "Perlakuan posisi yang lebih jauh dari posisi terakhir daripada yang mungkin menurut speedKmh."})

	AccuracyMeters = add[int](Setting{Name: "accuracyMeters", Kind: Number, Min: 10, Max: 10_000, Default: 150,
		En: "Metres of inaccuracy up to which a position is accurate enough.",
		ID: "Batas ketidakakuratan posisi dalam meter."})
	SpeedKmh = add[int](Setting{Name: "speedKmh", Kind: Number, Min: 50, Max: 2000, Default: 300,
		En: "Kilometres an hour from one position to the next up to which a position is plausible.",
		ID: "Batas kecepatan antarposisi yang masih masuk akal, dalam km/jam."})
	FaceMatch = add[int](Setting{Name: "faceMatch", Kind: Number, Min: 1, Max: 1000, Default: 80,
		En: "Thousandths of distance up to which a face matches the registered one. workforce face calibrate finds a value.",
		ID: "Batas jarak wajah yang dianggap cocok, dalam perseribu. Nilainya dicari dengan workforce face calibrate."})
	FaceDoubtful = add[int](Setting{Name: "faceDoubtful", Kind: Number, Min: 1, Max: 1000, Default: 120,
		En: "Thousandths of distance up to which a face that does not match is doubtful, which is flagged alone; beyond, it is a mismatch.",
		ID: "Batas jarak wajah yang diragukan dan hanya ditandai, dalam perseribu; selebihnya tidak cocok."})
	FaceReplay = add[int](Setting{Name: "faceReplay", Kind: Number, Min: 0, Max: 100, Default: 12,
		En: "Thousandths of distance below which a face repeats one of the person's last 50, taken five minutes away or more; with 0 only the same numbers do.",
		ID: "Jarak di bawah mana wajah dianggap pengulangan dari 50 wajah terakhir yang berselang lima menit, dalam perseribu; 0 hanya angka yang sama persis."})
	OfflineHours = add[int](Setting{Name: "offlineHours", Kind: Number, Min: 1, Max: 720, Default: 72,
		En: "Hours for which a phone may keep an event that it recorded offline.",
		ID: "Lama ponsel boleh menyimpan absen luring, dalam jam."})
	OfflineApproval = add[bool](Setting{Name: "offlineApproval", Kind: Switch, Default: false,
		En: "Whether every event that was recorded offline waits for a decision, as flagged ones do.",
		ID: "Apakah setiap absen luring menunggu keputusan seperti absen bertanda."})
	AheadSeconds = add[int](Setting{Name: "aheadSeconds", Kind: Number, Min: 0, Max: 3600, Default: 120,
		En: "Seconds by which the recorded time of an event may be ahead of the server.",
		ID: "Selisih maksimum waktu absen di depan waktu server, dalam detik."})
	RepeatSeconds = add[int](Setting{Name: "repeatSeconds", Kind: Number, Min: 10, Max: 600, Default: 120,
		En: "Seconds within which the same clock event again is taken for a repeat.",
		ID: "Rentang detik saat absen yang sama dianggap pengulangan."})

	OvertimeTolerance = add[int](Setting{Name: "overtimeToleranceMinutes", Kind: Number, Min: 0, Max: 240, Default: 0,
		En: "Minutes of extra work up to which there is no overtime; beyond them all of the extra work is.",
		ID: "Menit kerja tambahan yang belum dihitung lembur; lebih dari itu seluruhnya lembur."})
	OvertimeDaily = add[int](Setting{Name: "overtimeDailyMinutes", Kind: Number, Min: 0, Max: 1440, Default: 0,
		En: "Minutes of work of a date after which the rest is overtime; 0 is what its shifts expect.",
		ID: "Menit kerja per tanggal yang selebihnya lembur; 0 berarti sesuai sif."})
	OvertimeWeekly = add[int](Setting{Name: "overtimeWeeklyMinutes", Kind: Number, Min: 0, Max: 10_080, Default: 0,
		En: "Minutes of work of a week after which the rest is overtime; 0 is no weekly rule.",
		ID: "Menit kerja per minggu yang selebihnya lembur; 0 berarti tanpa aturan mingguan."})
	OvertimeRestDays = add[bool](Setting{Name: "overtimeRestDays", Kind: Switch, Default: true,
		En: "Whether all work of a date on which none was expected is overtime.",
		ID: "Apakah seluruh kerja pada hari tanpa kewajiban dihitung lembur."})
	NightStart = add[int](Setting{Name: "nightStartMinute", Kind: Number, Min: 0, Max: 1439, Default: 22 * 60,
		En: "Minute of the local day at which the night premium begins: 1320 is 22:00.",
		ID: "Menit dalam hari setempat saat tunjangan malam mulai: 1320 adalah 22:00."})
	NightEnd = add[int](Setting{Name: "nightEndMinute", Kind: Number, Min: 0, Max: 1439, Default: 6 * 60,
		En: "Minute of the local day at which the night premium ends; equal to nightStartMinute there is none.",
		ID: "Menit dalam hari setempat saat tunjangan malam berakhir; bila sama dengan nightStartMinute, tidak ada."})
	CloseAtShiftEnd = add[bool](Setting{Name: "closeAtShiftEnd", Kind: Switch, Default: false,
		En: "Whether a forgotten attendance is closed at the end of its shift, and not when the expected hours and forgottenToleranceMinutes are worked.",
		ID: "Apakah absen yang lupa ditutup berakhir pada akhir sif, bukan saat jam kerja dan forgottenToleranceMinutes tercapai."})
	ForgottenTolerance = add[int](Setting{Name: "forgottenToleranceMinutes", Kind: Number, Min: 0, Max: 480, Default: 120,
		En: "Minutes of work beyond the expected after which an open attendance counts as forgotten.",
		ID: "Menit kerja melebihi kewajiban sebelum absen terbuka dianggap terlupa."})
	AttendanceCap = add[int](Setting{Name: "attendanceCapMinutes", Kind: Number, Min: 60, Max: 960, Default: 960,
		En: "Minutes that an attendance lasts at most; then it is closed and must be confirmed.",
		ID: "Lama absen paling banyak dalam menit; setelah itu ditutup dan perlu dikonfirmasi."})
	RemindMinutes = add[int](Setting{Name: "remindMinutes", Kind: Number, Min: 0, Max: 480, Default: 30,
		En: "Minutes after the end of a shift at which a person who is still clocked in is reminded to clock out; 0 is never.",
		ID: "Menit setelah akhir sif saat orang yang masih absen diingatkan untuk absen pulang; 0 berarti tidak."})
	ConfirmDays = add[int](Setting{Name: "confirmDays", Kind: Number, Min: 1, Max: 90, Default: 7,
		En: "Days within which a person confirms the end that a rule gave their attendance; later a manager does.",
		ID: "Batas hari bagi seseorang untuk mengonfirmasi akhir absen yang ditutup otomatis; setelah itu oleh manajer."})

	RefreshIdleDays = add[int](Setting{Name: "refreshIdleDays", Kind: Number, Min: 1, Max: 365,
		En: "Days after which a session that was not used ends; without one, the flag --refresh-life.",
		ID: "Sesi yang tidak dipakai berakhir setelah sekian hari; bila kosong, opsi --refresh-life."})
	SessionDays = add[int](Setting{Name: "sessionDays", Kind: Number, Min: 1, Max: 365,
		En: "Days after which a session ends however much it is used; without one, the flag --session-life. It holds for sessions that begin later.",
		ID: "Sesi berakhir setelah sekian hari walau dipakai; bila kosong, opsi --session-life. Berlaku untuk sesi berikutnya."})
	SingleSession = add[bool](Setting{Name: "singleSession", Kind: Switch, Default: false,
		En: "Whether a person has one session at a time: the first token pair of a new one ends the others.",
		ID: "Apakah setiap orang hanya punya satu sesi: pasangan token pertama sesi baru mengakhiri yang lain."})

	UploadMegabytes = add[int](Setting{Name: "uploadMegabytes", Kind: Number, Min: 10, Max: 10_000, Default: 200,
		En: "Mebibytes of pictures and tables that a person may upload in any 24 hours.",
		ID: "Mebibita gambar dan tabel yang boleh diunggah seseorang dalam 24 jam."})
	AttachmentTypes = add[[]string](Setting{Name: "attachmentTypes", Kind: Names,
		Allow:   []string{"csv", "docx", "heic", "odp", "ods", "odt", "pdf", "pptx", "txt", "xlsx", "zip"},
		Default: []string{"csv", "docx", "heic", "pdf", "txt", "xlsx", "zip"},
		En: "Files that may be attached to tasks and tickets besides JPEG, PNG and WebP pictures. " +
			"They are kept as they are, and browsers save them without showing them.",
		ID: "Berkas yang boleh dilampirkan pada tugas dan tiket selain gambar JPEG, PNG, dan WebP. " +
			"Berkas disimpan apa adanya, dan peramban menyimpannya tanpa menampilkannya."})
	DeviceApproval = add[bool](Setting{Name: "deviceApproval", Kind: Switch, Default: false,
		En: "Whether a manager, or somebody who may change the person or their devices, must approve a further device of a person who trusts one already.",
		ID: "Apakah perangkat lain milik orang yang sudah punya perangkat tepercaya harus disetujui manajer, atau yang boleh mengubah orang atau perangkatnya."})
	SingleDevice = add[bool](Setting{Name: "singleDevice", Kind: Switch, Default: false,
		En: "Whether a person trusts one phone at a time: trusting another ends the trust in the former, and the sessions on it. Browsers do not count.",
		ID: "Apakah setiap orang hanya mempercayai satu ponsel: mempercayai yang lain mengakhiri kepercayaan pada yang lama beserta sesinya. Peramban tidak dihitung."})

	AuditDays = add[int](Setting{Name: "auditDays", Kind: Number, Min: 30, Max: 3650, Default: 3650,
		En: "Days after which events of the audit are deleted.",
		ID: "Catatan audit dihapus setelah sekian hari."})
	MessageDays = add[int](Setting{Name: "messageDays", Kind: Number, Min: 7, Max: 3650, Default: 3650,
		En: "Days after which messages are deleted.",
		ID: "Pesan dihapus setelah sekian hari."})
	CoordinateDays = add[int](Setting{Name: "coordinateDays", Kind: Number, Min: 30, Max: 3650, Default: 90,
		En: "Days after which positions of phones are deleted.",
		ID: "Posisi ponsel dihapus setelah sekian hari."})

	LockedFrom = add[string](Setting{Name: "lockedFrom", Kind: Date,
		En: "First date of a period that nobody changes once it is over, as it was paid; needs lockedUntil. Without one, no period is locked by date.",
		ID: "Tanggal pertama periode yang tidak dapat diubah setelah berakhir, misalnya karena sudah dibayar; perlu lockedUntil. Bila kosong, tidak ada periode yang dikunci menurut tanggal."})
	LockedUntil = add[string](Setting{Name: "lockedUntil", Kind: Date,
		En: "Last date of that period, not before lockedFrom.",
		ID: "Tanggal terakhir periode itu, tidak sebelum lockedFrom."})
	LockAfterDays = add[int](Setting{Name: "lockAfterDays", Kind: Number, Min: 1, Max: 366,
		En: "Days after the end of a calendar month from when on nobody changes the month; without one, months are not locked.",
		ID: "Sekian hari setelah akhir bulan kalender, bulan itu tidak dapat diubah; bila kosong, bulan tidak dikunci."})
	LockGraceDays = add[int](Setting{Name: "lockGraceDays", Kind: Number, Min: 0, Max: 92, Default: 0,
		En: "Days for which those who may approve for a person still change a locked period. Who holds company.write changes it at any time.",
		ID: "Selama sekian hari, yang berwenang menyetujui untuk seseorang masih dapat mengubah periode terkunci. Pemegang company.write selalu dapat mengubahnya."})
	RequestDays = add[int](Setting{Name: "requestDays", Kind: Number, Min: 1, Max: 92, Default: 14,
		En: "Days after which a correction or leave that nobody decided expires.",
		ID: "Koreksi atau cuti yang tidak diputuskan kedaluwarsa setelah sekian hari."})
	LeaveDayMinutes = add[int](Setting{Name: "leaveDayMinutes", Kind: Number, Min: 60, Max: 1440, Default: 480,
		En: "Minutes of leave by the hour that take a day of a yearly allowance.",
		ID: "Jumlah menit cuti per jam yang mengurangi satu hari jatah tahunan."})
	LeaveBlocksClockIn = add[bool](Setting{Name: "leaveBlocksClockIn", Kind: Switch, Default: false,
		En: "Whether a clock-in on a day of whole leave is refused; else it is recorded with a flag, and a manager is told.",
		ID: "Apakah absen masuk pada hari cuti penuh ditolak; bila tidak, absen dicatat dengan tanda dan manajer diberi tahu."})
	AttachmentDays = add[int](Setting{Name: "attachmentDays", Kind: Number, Min: 30, Max: 3650, Default: 365,
		En: "Days after the decision after which pictures of corrections are deleted.",
		ID: "Gambar lampiran koreksi dihapus sekian hari setelah keputusan."})

	RunningTimers = add[int](Setting{Name: "runningTimers", Kind: Number, Min: 1, Max: 10, Default: 1,
		En: "Timers of a person that run at the same time.",
		ID: "Jumlah pengukur waktu seseorang yang berjalan bersamaan."})
	TimerStops = add[bool](Setting{Name: "timerStops", Kind: Switch, Default: true,
		En: "Whether starting one more timer than runningTimers stops the oldest at the same instant; if not, it is refused.",
		ID: "Apakah memulai pengukur waktu melebihi runningTimers menghentikan yang terlama pada saat yang sama; bila tidak, ditolak."})
	TimerOnDuty = add[bool](Setting{Name: "timerOnDuty", Kind: Switch, Default: false,
		En: "Whether a person must be clocked in to start a timer.",
		ID: "Apakah seseorang harus absen masuk dahulu untuk memulai pengukur waktu."})
	TimersAlone = add[bool](Setting{Name: "timersAlone", Kind: Switch, Default: false,
		En: "Whether people book their own time by starting and stopping timers alone. Who may write the time of a team sets instants too.",
		ID: "Apakah orang mencatat waktunya hanya dengan memulai dan menghentikan pengukur waktu. Yang boleh mengubah waktu tim dapat mengisi jam."})
	EntryOverlap = add[bool](Setting{Name: "entryOverlap", Kind: Switch, Default: true,
		En: "Whether time entries of a person may cover the same time.",
		ID: "Apakah catatan waktu seseorang boleh saling tumpang tindih."})
	EntryLimit = add[int](Setting{Name: "entryLimitMinutes", Kind: Number, Min: 0, Max: 525_600, Default: 720,
		En: "Minutes beyond which a time entry is refused, and a timer that runs longer is marked and its person told; stopping is never refused. 0 is no limit.",
		ID: "Batas menit sebuah catatan waktu; selebihnya ditolak, dan pengukur waktu yang berjalan lebih lama ditandai serta orangnya diberi tahu. Menghentikan tidak pernah ditolak. 0 berarti tanpa batas."})

	LowResponse = add[int](Setting{Name: "slaLowResponseMinutes", Kind: Number, Min: 1, Max: 43_200, Default: 1440,
		En: "Minutes of business hours within which a ticket of low priority is to be answered.",
		ID: "Tiket berprioritas rendah harus dijawab dalam sekian menit jam layanan."})
	LowResolution = add[int](Setting{Name: "slaLowResolutionMinutes", Kind: Number, Min: 1, Max: 43_200, Default: 4320,
		En: "Minutes of business hours within which a ticket of low priority is to be resolved; holds do not count.",
		ID: "Tiket berprioritas rendah harus selesai dalam sekian menit jam layanan; waktu tunda tidak dihitung."})
	NormalResponse = add[int](Setting{Name: "slaNormalResponseMinutes", Kind: Number, Min: 1, Max: 43_200, Default: 480,
		En: "Minutes of business hours within which a ticket of normal priority is to be answered.",
		ID: "Tiket berprioritas normal harus dijawab dalam sekian menit jam layanan."})
	NormalResolution = add[int](Setting{Name: "slaNormalResolutionMinutes", Kind: Number, Min: 1, Max: 43_200, Default: 1440,
		En: "Minutes of business hours within which a ticket of normal priority is to be resolved; holds do not count.",
		ID: "Tiket berprioritas normal harus selesai dalam sekian menit jam layanan; waktu tunda tidak dihitung."})
	HighResponse = add[int](Setting{Name: "slaHighResponseMinutes", Kind: Number, Min: 1, Max: 43_200, Default: 60,
		En: "Minutes of business hours within which a ticket of high priority is to be answered.",
		ID: "Tiket berprioritas tinggi harus dijawab dalam sekian menit jam layanan."})
	HighResolution = add[int](Setting{Name: "slaHighResolutionMinutes", Kind: Number, Min: 1, Max: 43_200, Default: 240,
		En: "Minutes of business hours within which a ticket of high priority is to be resolved; holds do not count.",
		ID: "Tiket berprioritas tinggi harus selesai dalam sekian menit jam layanan; waktu tunda tidak dihitung."})
	UrgentResponse = add[int](Setting{Name: "slaUrgentResponseMinutes", Kind: Number, Min: 1, Max: 43_200, Default: 30,
		En: "Minutes of business hours within which a ticket of urgent priority is to be answered.",
		ID: "Tiket berprioritas mendesak harus dijawab dalam sekian menit jam layanan."})
	UrgentResolution = add[int](Setting{Name: "slaUrgentResolutionMinutes", Kind: Number, Min: 1, Max: 43_200, Default: 120,
		En: "Minutes of business hours within which a ticket of urgent priority is to be resolved; holds do not count.",
		ID: "Tiket berprioritas mendesak harus selesai dalam sekian menit jam layanan; waktu tunda tidak dihitung."})
	SLAWeekdays = add[[]int](Setting{Name: "slaWeekdays", Kind: Weekdays, Default: []int{1, 2, 3, 4, 5},
		En: "Days of the week with business hours for tickets, by ISO: Monday is 1. Holidays and weekly offs have none, half holidays the first half. Without any, tickets have no due times.",
		ID: "Hari dengan jam layanan tiket menurut ISO: Senin adalah 1. Hari libur dan libur mingguan tidak punya, libur setengah hari hanya paruh pertama. Bila kosong, tiket tidak punya tenggat."})
	SLAStart = add[int](Setting{Name: "slaStartMinute", Kind: Number, Min: 0, Max: 1439, Default: 10 * 60,
		En: "Minute of the local day at which business hours for tickets begin: 600 is 10:00.",
		ID: "Menit dalam hari setempat saat jam layanan tiket mulai: 600 adalah 10:00."})
	SLAEnd = add[int](Setting{Name: "slaEndMinute", Kind: Number, Min: 1, Max: 1440, Default: 18 * 60,
		En: "Minute of the local day at which they end, after slaStartMinute: 1440 is midnight.",
		ID: "Menit dalam hari setempat saat jam layanan berakhir, setelah slaStartMinute: 1440 adalah tengah malam."})
	SLAWarn = add[int](Setting{Name: "slaWarnMinutes", Kind: Number, Min: 0, Max: 10_080, Default: 15,
		En: "Minutes before a ticket is overdue at which who is to help is warned; 0 warns only once it is.",
		ID: "Penanggung jawab tiket diperingatkan sekian menit sebelum tenggat; 0 berarti hanya setelah lewat."})
)
