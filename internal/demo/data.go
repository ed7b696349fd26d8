package demo

import (
	"workforce/internal/shift"
	"workforce/internal/viewer"
)

const (
	male   = "male"
	female = "female"
)

// nusantara is the company to try everything with. Its numbers begin with 0840,
// which Indonesia has given to nobody, so that no stranger's phone rings.
func nusantara() companyData {
	return companyData{
		name: "Nusantara Demo", timezone: "Asia/Jakarta", seed: 1,
		designations: []titleData{
			{"Direktur", ""}, {"Kepala Kantor", "Direktur"}, {"Penyelia", "Kepala Kantor"},
			{"Staf Operasional", "Penyelia"}, {"Staf Administrasi", "Kepala Kantor"}, {"Layanan Pelanggan", "Penyelia"},
			{"Petugas Gudang", "Penyelia"}, {"Teknisi", "Penyelia"},
		},
		sites: []siteData{
			{"Kantor Pusat", "Jalan M.H. Thamrin 1, Jakarta Pusat", -6.200000, 106.816666, 100, "Nusantara"},
			{"Kantor Bandung", "Jalan Asia Afrika 8, Bandung", -6.921151, 107.607301, 150, "Kantor Bandung"},
			{"Gudang Cikarang", "Kawasan Industri Jababeka, Cikarang", -6.284913, 107.170641, 250, "Gudang"},
		},
		units: []unitData{
			{"Nusantara", "", "admin@demo.test", "Kantor Pusat"},
			{"Kantor Jakarta", "Nusantara", "manager@demo.test", "Kantor Pusat"},
			{"Operasional Jakarta", "Kantor Jakarta", "siti@demo.test", "Kantor Pusat"},
			{"Layanan Pelanggan", "Kantor Jakarta", "", "Kantor Pusat"},
			{"Gudang", "Kantor Jakarta", "", "Gudang Cikarang"},
			{"Kantor Bandung", "Nusantara", "asep@demo.test", "Kantor Bandung"},
			{"Operasional Bandung", "Kantor Bandung", "", "Kantor Bandung"},
		},
		shifts: []shiftData{day(), night(), flexible()},
		people: append(leaders(), employees()...),
	}
}

// day is the shift Pagi.
func day() shiftData {
	lunch := shift.Break{Start: "12:00", End: "13:00"}
	return shiftData{
		name:  "Pagi",
		hours: shift.Shift{Start: "08:00", End: "17:00", OpensBefore: 60, ClosesAfter: 60, Breaks: []shift.Break{lunch}},
		from:  "08:00", until: "17:00", graces: true,
	}
}

// night is the shift Malam, over midnight.
func night() shiftData {
	return shiftData{
		name:  "Malam",
		hours: shift.Shift{Start: "22:00", End: "06:00", OpensBefore: 60, ClosesAfter: 60},
		from:  "22:00", until: "06:00", graces: true,
	}
}

// flexible is the shift Fleksibel, in which one may clock in at any hour.
func flexible() shiftData {
	return shiftData{
		name:  "Fleksibel",
		hours: shift.Shift{Start: "00:00", End: "23:59"},
		from:  "08:00", until: "17:00",
	}
}

// leaders are the people of Nusantara Demo that are known by name.
func leaders() []personData {
	return []personData{
		{
			name: "Andini Kusumawardhani", email: "admin@demo.test", number: "840 1100 001", verified: true,
			gender: female, role: viewer.Owner, unit: "Nusantara", titles: []string{"Direktur"},
			shift: "Fleksibel", days: 7, joined: 2100,
		},
		{
			name: "Ratna Wijayanti", email: "manager@demo.test", number: "0840 1123 789", verified: true,
			gender: female, role: viewer.Manager, unit: "Kantor Jakarta", titles: []string{"Kepala Kantor"},
			shift: "Pagi", days: 5, joined: 1460,
		},
		{
			name: "Budi Santoso", email: "budi@demo.test", number: "08401100003", verified: true,
			gender: male, unit: "Operasional Jakarta", titles: []string{"Staf Operasional"},
			shift: "Fleksibel", days: 7, joined: 730,
		},
		{
			name: "Siti Rahmawati", email: "siti@demo.test", number: "840-1100-004",
			gender: female, role: viewer.Supervisor, unit: "Operasional Jakarta", titles: []string{"Penyelia"},
			shift: "Pagi", days: 5, joined: 1280,
		},
		{
			name: "Asep Sutisna", email: "asep@demo.test", number: "0840 1100 005",
			gender: male, role: viewer.Supervisor, unit: "Kantor Bandung", titles: []string{"Penyelia", "Kepala Kantor"},
			shift: "Pagi", days: 6, joined: 1105,
		},
	}
}

// employees are the other people of Nusantara Demo.
func employees() []personData {
	operations, office, support := []string{"Staf Operasional"}, []string{"Staf Administrasi"}, []string{"Layanan Pelanggan"}
	stock, repair := []string{"Petugas Gudang"}, []string{"Petugas Gudang", "Teknisi"}
	return []personData{
		{name: "Agus Setiawan", email: "agus@demo.test", number: "8401100006", gender: male, unit: "Operasional Jakarta", titles: operations, shift: "Pagi", days: 5, joined: 980},
		{name: "ayu Lestari", email: "ayu@demo.test", number: "0840 1100 007", gender: female, unit: "Operasional Jakarta", titles: operations, shift: "Pagi", days: 5, joined: 871},
		{name: "Dimas Prasetyo", email: "dimas@demo.test", gender: male, locale: "en", unit: "Operasional Jakarta", titles: []string{"Teknisi"}, shift: "Malam", days: 5, joined: 640},
		{name: "Fitri Handayani", email: "fitri@demo.test", number: "08401100009", gender: female, unit: "Operasional Jakarta", shift: "Pagi", days: 5, joined: 522},
		{name: "hendra gunawan", email: "hendra@demo.test", number: "840 1100 010", gender: male, unit: "Operasional Jakarta", titles: operations, shift: "Malam", days: 5, joined: 415},
		{name: "Indah Permatasari", email: "indah@demo.test", number: "0840-1100-011", gender: female, unit: "Layanan Pelanggan", titles: support, shift: "Pagi", days: 6, joined: 790},
		{name: "Joko Susilo", email: "joko@demo.test", number: "8401100012", gender: male, unit: "Layanan Pelanggan", titles: support, shift: "Malam", days: 5, joined: 365},
		{name: "Kartika Sari", email: "kartika@demo.test", gender: female, unit: "Layanan Pelanggan", titles: support, shift: "Pagi", days: 6, joined: 301},
		{name: "Lukman Hakim", email: "lukman@demo.test", number: "0840 1100 014", unit: "Layanan Pelanggan", titles: support, shift: "Pagi", days: 5, joined: 244},
		{name: "Maya Puspita", email: "maya@demo.test", number: "08401100015", gender: female, locale: "en", unit: "Kantor Jakarta", titles: office, shift: "Pagi", days: 5, joined: 1340},
		{name: "nur Hidayah", email: "nur@demo.test", number: "840 1100 016", gender: female, unit: "Kantor Jakarta", titles: office, shift: "Pagi", days: 5, joined: 199},
		{name: "Putri Maharani", email: "putri@demo.test", gender: female, unit: "Kantor Jakarta", shift: "Pagi", days: 5, joined: 3},
		{name: "Rizky Ramadhan", email: "rizky@demo.test", number: "0840 1100 018", gender: male, unit: "Gudang", titles: repair, shift: "Malam", days: 5, joined: 612},
		{name: "Slamet Riyadi", email: "slamet@demo.test", number: "8401100019", gender: male, unit: "Gudang", titles: stock, shift: "Malam", days: 5, joined: 1510},
		{name: "Sumarni", email: "sumarni@demo.test", gender: female, unit: "Gudang", titles: stock, shift: "Pagi", days: 6, joined: 455},
		{name: "Cecep Hidayat", email: "cecep@demo.test", number: "0840-1100-021", gender: male, unit: "Kantor Bandung", titles: office, shift: "Pagi", days: 5, joined: 930},
		{name: "dewi Anggraini", email: "dewi@demo.test", number: "840 1100 022", gender: female, unit: "Kantor Bandung", titles: office, shift: "Pagi", days: 5, joined: 702},
		{name: "Eko Nugroho", email: "eko@demo.test", number: "08401100023", gender: male, unit: "Operasional Bandung", titles: operations, shift: "Pagi", days: 6, joined: 560},
		{name: "Gita Wulandari", email: "gita@demo.test", gender: female, unit: "Operasional Bandung", titles: operations, shift: "Pagi", days: 6, joined: 288},
		{name: "Neng Kurniasih", email: "neng@demo.test", number: "0840 1100 025", unit: "Operasional Bandung", shift: "Pagi", days: 5, joined: 131},
		{name: "tatang suherman", email: "tatang@demo.test", number: "8401100026", gender: male, unit: "Operasional Bandung", titles: operations, shift: "Malam", days: 5, joined: 1022},
		{name: "Wahyu Nur'aini", email: "wahyu@demo.test", number: "0840 1100 027", gender: female, unit: "Operasional Bandung", titles: repair, shift: "Malam", days: 5, joined: 0},
	}
}

// tetangga is the company next door, of which users of Nusantara Demo must never
// see anything.
func tetangga() companyData {
	clerk := []string{"Kasir"}
	return companyData{
		name: "Tetangga Demo", timezone: "Asia/Makassar", seed: 2,
		designations: []titleData{{"Kasir", ""}},
		sites:        []siteData{{"Toko Tetangga", "Jalan Penghibur 10, Makassar", -5.142870, 119.407550, 100, "Tetangga"}},
		units:        []unitData{{"Tetangga", "", "admin@tetangga.test", "Toko Tetangga"}},
		shifts:       []shiftData{day()},
		people: []personData{
			{
				name: "Daeng Rahman", email: "admin@tetangga.test", number: "0840 1200 001", verified: true,
				gender: male, role: viewer.Owner, unit: "Tetangga", shift: "Pagi", days: 6, joined: 1200,
			},
			{name: "Andi Tenri", email: "tenri@tetangga.test", number: "8401200002", gender: female, unit: "Tetangga", titles: clerk, shift: "Pagi", days: 6, joined: 800},
			{name: "baso Amir", email: "baso@tetangga.test", gender: male, unit: "Tetangga", titles: clerk, shift: "Pagi", days: 6, joined: 420},
			{name: "Nurhayati", email: "nurhayati@tetangga.test", number: "0840-1200-004", gender: female, unit: "Tetangga", titles: clerk, shift: "Pagi", days: 5, joined: 333},
			{name: "Syamsul Bahri", email: "syamsul@tetangga.test", number: "0840 1200 005", gender: male, unit: "Tetangga", shift: "Pagi", days: 5, joined: 90},
		},
	}
}
