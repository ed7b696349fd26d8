package report

// languageOf returns the language of reports that fits a language best.
func languageOf(tag string) string {
	if len(tag) >= 2 && tag[:2] == "en" {
		return "en"
	}
	return "id"
}

// A dictionary is a language of reports.
type dictionary int

const (
	english dictionary = iota
	indonesian
)

func dictionaryOf(language string) dictionary {
	if language == "en" {
		return english
	}
	return indonesian
}

// of returns the words for a key, which must be there.
func (d dictionary) of(key string) string {
	w, ok := words[key]
	if !ok {
		panic("report: no words for " + key)
	}
	return w[d]
}

// words are the texts of reports: English, then Indonesian.
var words = map[string][2]string{
	"task":       {"Tasks", "Tugas"},
	"attendance": {"Attendance", "Kehadiran"},
	"timesheet":  {"Timesheet", "Lembar Waktu"},
	"overtime":   {"Overtime", "Lembur"},
	"leave":      {"Leave", "Cuti"},
	"ticket":     {"Tickets", "Tiket"},

	"totals": {"Totals", "Ringkasan"},
	"hours":  {"{title} (hours)", "{title} (jam)"},
	"page":   {"Page {current} of {total}", "Halaman {current} dari {total}"},
	"empty":  {"There is nothing in this period.", "Tidak ada data dalam periode ini."},
	"missing": {"No font has these characters, which are shown as \u25A1: {characters}",
		"Tidak ada fon untuk karakter berikut, yang ditampilkan sebagai \u25A1: {characters}"},
	"period":   {"Period", "Periode"},
	"timezone": {"Time zone", "Zona waktu"},
	"made":     {"Made at", "Dibuat pada"},
	"for":      {"Made for", "Dibuat untuk"},
	"person":   {"Person", "Karyawan"},
	"project":  {"Project", "Proyek"},
	"rows":     {"Rows", "Jumlah baris"},
	"people":   {"People", "Jumlah karyawan"},

	"name":           {"Name", "Nama"},
	"employeeNumber": {"Employee number", "Nomor karyawan"},
	"date":           {"Date", "Tanggal"},
	"status":         {"Status", "Status"},
	"shiftStart":     {"Shift start", "Mulai shift"},
	"shiftEnd":       {"Shift end", "Akhir shift"},
	"clockIn":        {"Clock in", "Masuk"},
	"clockOut":       {"Clock out", "Keluar"},
	"expected":       {"Expected", "Jam wajib"},
	"worked":         {"Worked", "Jam kerja"},
	"balance":        {"Balance", "Selisih"},
	"late":           {"Late", "Terlambat"},
	"early":          {"Early", "Pulang cepat"},
	"lateDays":       {"Late days", "Hari terlambat"},
	"earlyDays":      {"Early days", "Hari pulang cepat"},
	"overtimeTime":   {"Overtime", "Lembur"},
	"night":          {"Night", "Malam"},
	"decision":       {"Decision", "Keputusan"},
	"approvedTime":   {"Approved overtime", "Lembur disetujui"},
	"note":           {"Note", "Catatan"},
	"type":           {"Type", "Jenis"},
	"from":           {"From", "Dari"},
	"to":             {"To", "Sampai"},
	"half":           {"Part of the day", "Bagian hari"},
	"halfLeaveDays":  {"Half days of leave", "Cuti setengah hari"},
	"leaveTime":      {"Time of leave", "Jam cuti"},
	"half_day_leave": {"Half", "Setengah"},
	"days":           {"Days", "Hari"},
	"reason":         {"Reason", "Alasan"},
	"title":          {"Title", "Judul"},
	"category":       {"Category", "Kategori"},
	"priority":       {"Priority", "Prioritas"},
	"assignees":      {"Assignees", "Penerima tugas"},
	"start":          {"Start", "Mulai"},
	"due":            {"Due", "Tenggat"},
	"completed":      {"Completed", "Selesai"},
	"created":        {"Created", "Dibuat"},
	"tracked":        {"Tracked", "Waktu tercatat"},

	"daysByStatus":     {"Days by status", "Hari menurut status"},
	"workedBy.date":    {"Worked by date", "Jam kerja per tanggal"},
	"workedBy.week":    {"Worked by week", "Jam kerja per minggu"},
	"workedBy.month":   {"Worked by month", "Jam kerja per bulan"},
	"overtimeBy.date":  {"Overtime by date", "Lembur per tanggal"},
	"overtimeBy.week":  {"Overtime by week", "Lembur per minggu"},
	"overtimeBy.month": {"Overtime by month", "Lembur per bulan"},
	"daysByType":       {"Days by type", "Hari menurut jenis"},
	"tasksByStatus":    {"Tasks by status", "Tugas menurut status"},

	"status.needs_confirmation": {"Needs confirmation", "Perlu konfirmasi"},
	"status.present":            {"Present", "Hadir"},
	"status.work_from_home":     {"Work from home", "Kerja dari rumah"},
	"status.half_day":           {"Half day", "Setengah hari"},
	"status.absent":             {"Absent", "Tidak hadir"},
	"status.on_leave":           {"On leave", "Cuti"},
	"status.holiday":            {"Holiday", "Libur"},
	"status.weekly_off":         {"Weekly off", "Libur mingguan"},
	"status.none":               {"None", "Tidak ada"},

	"state.pending":   {"Pending", "Menunggu"},
	"state.approved":  {"Approved", "Disetujui"},
	"state.refused":   {"Refused", "Ditolak"},
	"state.cancelled": {"Cancelled", "Dibatalkan"},
	"state.expired":   {"Expired", "Kedaluwarsa"},

	"task.open":        {"Open", "Terbuka"},
	"task.in_progress": {"In progress", "Dikerjakan"},
	"task.done":        {"Done", "Selesai"},
	"task.cancelled":   {"Cancelled", "Dibatalkan"},

	"number":          {"Number", "Nomor"},
	"subject":         {"Subject", "Perihal"},
	"requester":       {"Requester", "Pemohon"},
	"assignee":        {"Assignee", "Penanggung jawab"},
	"respondBy":       {"Respond by", "Batas jawab"},
	"responded":       {"Responded", "Dijawab"},
	"resolveBy":       {"Resolve by", "Batas selesai"},
	"resolved":        {"Resolved", "Diselesaikan"},
	"ticketsByStatus": {"Tickets by status", "Tiket menurut status"},

	"ticket.open":        {"Open", "Terbuka"},
	"ticket.in_progress": {"In progress", "Dikerjakan"},
	"ticket.resolved":    {"Resolved", "Selesai"},
	"ticket.closed":      {"Closed", "Ditutup"},

	"priority.low":    {"Low", "Rendah"},
	"priority.normal": {"Normal", "Normal"},
	"priority.high":   {"High", "Tinggi"},
	"priority.urgent": {"Urgent", "Mendesak"},
}
