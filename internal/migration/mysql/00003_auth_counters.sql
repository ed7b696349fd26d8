-- +goose Up
-- modify "login_throttles" table
ALTER TABLE `login_throttles` ADD COLUMN `audited_at` datetime(6) NULL;
-- modify "messages" table
ALTER TABLE `messages` ADD COLUMN `code_id` bigint NULL;
-- create "decoys" table
CREATE TABLE `decoys` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `text` mediumtext NOT NULL,
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `decoy_created_at` (`created_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "former_device_tokens" table
CREATE TABLE `former_device_tokens` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `hash` binary(32) NOT NULL,
  `device_id` bigint NOT NULL,
  `replaced_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `hash` (`hash`),
  INDEX `formerdevicetoken_replaced_at` (`replaced_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "rate_logs" table
CREATE TABLE `rate_logs` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `key` binary(32) NOT NULL,
  `events` varbinary(1024) NULL,
  `updated_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `key` (`key`),
  INDEX `ratelog_updated_at` (`updated_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- "rate_windows" is dropped by a later migration: instances of the release before still count there.

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
