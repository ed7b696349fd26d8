-- +goose Up
-- create "setup_links" table
CREATE TABLE `setup_links` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `token_hash` blob NOT NULL,
  `created_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `closed_at` datetime NULL
);
-- create index "setup_links_token_hash_key" to table: "setup_links"
CREATE UNIQUE INDEX `setup_links_token_hash_key` ON `setup_links` (`token_hash`);

-- +goose Down
-- reverse: create index "setup_links_token_hash_key" to table: "setup_links"
DROP INDEX `setup_links_token_hash_key`;
-- reverse: create "setup_links" table
DROP TABLE `setup_links`;
