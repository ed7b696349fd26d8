-- +goose Up
-- create "certificates" table
CREATE TABLE `certificates` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sealed` text NULL,
  `holder` text NULL,
  `lease_until` datetime NULL,
  `expires_at` datetime NULL,
  `updated_at` datetime NOT NULL
);
-- create index "certificates_name_key" to table: "certificates"
CREATE UNIQUE INDEX `certificates_name_key` ON `certificates` (`name`);
-- create index "certificate_expires_at" to table: "certificates"
CREATE INDEX `certificate_expires_at` ON `certificates` (`expires_at`);

-- +goose Down
-- reverse: create index "certificate_expires_at" to table: "certificates"
DROP INDEX `certificate_expires_at`;
-- reverse: create index "certificates_name_key" to table: "certificates"
DROP INDEX `certificates_name_key`;
-- reverse: create "certificates" table
DROP TABLE `certificates`;
