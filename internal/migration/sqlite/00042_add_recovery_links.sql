-- +goose Up
-- create "recovery_links" table
CREATE TABLE `recovery_links` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `token_hash` blob NOT NULL,
  `user_id` integer NOT NULL,
  `created_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `used_at` datetime NULL,
  `live` integer NULL DEFAULT (1)
);
-- create index "recovery_links_token_hash_key" to table: "recovery_links"
CREATE UNIQUE INDEX `recovery_links_token_hash_key` ON `recovery_links` (`token_hash`);
-- create index "recoverylink_user_id_live" to table: "recovery_links"
CREATE UNIQUE INDEX `recoverylink_user_id_live` ON `recovery_links` (`user_id`, `live`);
-- create index "recoverylink_expires_at" to table: "recovery_links"
CREATE INDEX `recoverylink_expires_at` ON `recovery_links` (`expires_at`);

-- +goose Down
-- reverse: create index "recoverylink_expires_at" to table: "recovery_links"
DROP INDEX `recoverylink_expires_at`;
-- reverse: create index "recoverylink_user_id_live" to table: "recovery_links"
DROP INDEX `recoverylink_user_id_live`;
-- reverse: create index "recovery_links_token_hash_key" to table: "recovery_links"
DROP INDEX `recovery_links_token_hash_key`;
-- reverse: create "recovery_links" table
DROP TABLE `recovery_links`;
