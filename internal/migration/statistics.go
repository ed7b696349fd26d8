package migration

import (
	"context"
	"database/sql"
)

// assume tells SQLite's planner how rows are spread, since nothing measures it: a table has a
// million rows, a quarter of them of one company, states are about the same for all, hardly any
// row is deleted, and any other column has 1,000 rows of a value. Knowing nothing, SQLite takes
// the ten rows of a company for fewer than those of 50 ids. No index is used without its first
// column: with four companies, SQLite would look for a state in each of them in place of rows by
// their ids. What ANALYZE finds would change plans with the data, and have SQLite plan
// statements anew for other values.
func assume(ctx context.Context, tx *sql.Tx) error {
	for _, statement := range []string{
		"ANALYZE sqlite_schema", // makes sqlite_stat1
		"DELETE FROM sqlite_stat1",
		`INSERT INTO sqlite_stat1 (tbl, idx, stat)
		WITH columns AS (
			SELECT s.tbl_name AS tbl, s.name AS idx, c.seqno, c.seqno = MAX(c.seqno) OVER (PARTITION BY s.name) AND l."unique" AS one,
				MAX(COALESCE(c.name, '') = 'company_id') OVER first AS company,
				SUM(COALESCE(c.name, '') NOT IN ('company_id', 'state', 'status', 'open_marker', 'deleted_at') AND COALESCE(t.type, '') <> 'bool') OVER first AS others
			FROM sqlite_schema s JOIN pragma_index_list(s.tbl_name) l ON l.name = s.name JOIN pragma_index_info(s.name) c
			LEFT JOIN pragma_table_info(s.tbl_name) t ON t.name = c.name
			WHERE s.type = 'index'
			WINDOW first AS (PARTITION BY s.name ORDER BY c.seqno)
		)
		SELECT tbl, idx, '1000000 ' || GROUP_CONCAT(
			CASE WHEN one OR others > 1 THEN 1 WHEN others = 1 THEN 1000 ELSE 1000000 END / CASE WHEN company AND NOT one AND others < 2 THEN 4 ELSE 1 END,
			' ' ORDER BY seqno) || ' noskipscan'
		FROM columns GROUP BY idx`,
		"ANALYZE sqlite_schema", // reads sqlite_stat1
	} {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
