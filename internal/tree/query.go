package tree

// Below returns the text of a query of the columns root and id: each node that
// roots selects, as root, with its own id and those of all nodes below it. roots is
// a query of two columns, a root's key and its id; a tree's table has the columns id
// and parent_id. docs/decisions/0025 says why trees are stored and read so.
func Below(table, roots string) string {
	return `WITH RECURSIVE below (root, id) AS (` + roots + `
 UNION SELECT above.root, n.id FROM below above JOIN ` + table + ` n ON n.parent_id = above.id
) SELECT root, id FROM below`
}
