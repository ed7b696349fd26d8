-- +goose Up
-- add column "audited_at" to table: "login_throttles"
ALTER TABLE `login_throttles` ADD COLUMN `audited_at` datetime NULL;
-- add column "code_id" to table: "messages"
ALTER TABLE `messages` ADD COLUMN `code_id` integer NULL;
-- create "decoys" table
CREATE TABLE `decoys` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `text` text NOT NULL,
  `created_at` datetime NOT NULL
);
-- create index "decoy_created_at" to table: "decoys"
CREATE INDEX `decoy_created_at` ON `decoys` (`created_at`);
-- create "former_device_tokens" table
CREATE TABLE `former_device_tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `hash` blob NOT NULL,
  `device_id` integer NOT NULL,
  `replaced_at` datetime NOT NULL
);
-- create index "former_device_tokens_hash_key" to table: "former_device_tokens"
CREATE UNIQUE INDEX `former_device_tokens_hash_key` ON `former_device_tokens` (`hash`);
-- create index "formerdevicetoken_replaced_at" to table: "former_device_tokens"
CREATE INDEX `formerdevicetoken_replaced_at` ON `former_device_tokens` (`replaced_at`);
-- create "rate_logs" table
CREATE TABLE `rate_logs` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `key` blob NOT NULL,
  `events` blob NULL,
  `updated_at` datetime NOT NULL
);
-- create index "rate_logs_key_key" to table: "rate_logs"
CREATE UNIQUE INDEX `rate_logs_key_key` ON `rate_logs` (`key`);
-- create index "ratelog_updated_at" to table: "rate_logs"
CREATE INDEX `ratelog_updated_at` ON `rate_logs` (`updated_at`);
-- "rate_windows" is dropped by a later migration: instances of the release before still count there.

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
