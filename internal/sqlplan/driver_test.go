package sqlplan

import "testing"

// TestCountRows changes the statements that count ids, and no other.
func TestCountRows(t *testing.T) {
	for query, want := range map[string]string{
		"SELECT COUNT(`users`.`id`) FROM `users` WHERE `users`.`id` > ?": "SELECT COUNT(*) FROM `users` WHERE `users`.`id` > ?",
		"SELECT COUNT(DISTINCT `users`.`id`) FROM `users`":               "SELECT COUNT(DISTINCT `users`.`id`) FROM `users`",
		"SELECT COUNT(`users`.`email`) FROM `users`":                     "SELECT COUNT(`users`.`email`) FROM `users`",
		"SELECT `users`.`id` FROM `users`":                               "SELECT `users`.`id` FROM `users`",
	} {
		if got := countRows(query); got != want {
			t.Errorf("%s: got %s, want %s", query, got, want)
		}
	}
}
