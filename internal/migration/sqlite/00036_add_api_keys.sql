-- +goose Up
-- add column "api_key_id" to table: "audit_events"
ALTER TABLE `audit_events` ADD COLUMN `api_key_id` integer NULL;
-- create "new_widget_tokens" table
CREATE TABLE `new_widget_tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `person_id` integer NOT NULL,
  `widget` text NOT NULL,
  `origin` text NOT NULL,
  `hash` blob NOT NULL,
  `issued_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `session_id` integer NULL,
  `api_key_id` integer NULL,
  CONSTRAINT `widget_tokens_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `widget_tokens_sessions_session` FOREIGN KEY (`session_id`) REFERENCES `sessions` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `widget_tokens_api_keys_api_key` FOREIGN KEY (`api_key_id`) REFERENCES `api_keys` (`id`) ON DELETE NO ACTION
);
-- copy rows from old table "widget_tokens" to new temporary table "new_widget_tokens"
INSERT INTO `new_widget_tokens` (`id`, `person_id`, `widget`, `origin`, `hash`, `issued_at`, `expires_at`, `company_id`, `session_id`) SELECT `id`, `person_id`, `widget`, `origin`, `hash`, `issued_at`, `expires_at`, `company_id`, `session_id` FROM `widget_tokens`;
-- drop "widget_tokens" table after copying rows
DROP TABLE `widget_tokens`;
-- rename temporary table "new_widget_tokens" to "widget_tokens"
ALTER TABLE `new_widget_tokens` RENAME TO `widget_tokens`;
-- create index "widget_tokens_hash_key" to table: "widget_tokens"
CREATE UNIQUE INDEX `widget_tokens_hash_key` ON `widget_tokens` (`hash`);
-- create index "widgettoken_expires_at" to table: "widget_tokens"
CREATE INDEX `widgettoken_expires_at` ON `widget_tokens` (`expires_at`);
-- create "api_keys" table
CREATE TABLE `api_keys` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `permissions` json NOT NULL,
  `hash` blob NOT NULL,
  `created_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `revoked_at` datetime NULL,
  `last_used_at` datetime NULL,
  `last_address` text NULL,
  `company_id` integer NOT NULL,
  `creator_id` integer NOT NULL,
  `business_id` integer NULL,
  CONSTRAINT `api_keys_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `api_keys_users_creator` FOREIGN KEY (`creator_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `api_keys_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
);
-- create index "api_keys_hash_key" to table: "api_keys"
CREATE UNIQUE INDEX `api_keys_hash_key` ON `api_keys` (`hash`);
-- create index "apikey_creator_id" to table: "api_keys"
CREATE INDEX `apikey_creator_id` ON `api_keys` (`creator_id`);
-- developer.write is taken from the roles that no owner gave it: with it keys are made
UPDATE `roles` SET `custom_permissions` = REPLACE(REPLACE(REPLACE(`custom_permissions`, '"developer.write.own",', ''), ',"developer.write.own"', ''), '"developer.write.own"', '') WHERE `custom_permissions` LIKE '%"developer.write.own"%' AND NOT EXISTS (SELECT 1 FROM `audit_events` `e` JOIN `user_roles` `ur` ON `ur`.`user_id` = `e`.`actor_id` JOIN (SELECT `id` FROM `roles` WHERE `builtin` = 'owner') `o` ON `o`.`id` = `ur`.`role_id` WHERE `e`.`company_id` = `roles`.`company_id` AND `e`.`subject_type` = 'Role' AND `e`.`subject_id` = `roles`.`id` AND `e`.`after` LIKE '%"developer.write.own"%');
UPDATE `roles` SET `custom_permissions` = REPLACE(REPLACE(REPLACE(`custom_permissions`, '"developer.write.team",', ''), ',"developer.write.team"', ''), '"developer.write.team"', '') WHERE `custom_permissions` LIKE '%"developer.write.team"%' AND NOT EXISTS (SELECT 1 FROM `audit_events` `e` JOIN `user_roles` `ur` ON `ur`.`user_id` = `e`.`actor_id` JOIN (SELECT `id` FROM `roles` WHERE `builtin` = 'owner') `o` ON `o`.`id` = `ur`.`role_id` WHERE `e`.`company_id` = `roles`.`company_id` AND `e`.`subject_type` = 'Role' AND `e`.`subject_id` = `roles`.`id` AND `e`.`after` LIKE '%"developer.write.team"%');
UPDATE `roles` SET `custom_permissions` = REPLACE(REPLACE(REPLACE(`custom_permissions`, '"developer.write.all",', ''), ',"developer.write.all"', ''), '"developer.write.all"', '') WHERE `custom_permissions` LIKE '%"developer.write.all"%' AND NOT EXISTS (SELECT 1 FROM `audit_events` `e` JOIN `user_roles` `ur` ON `ur`.`user_id` = `e`.`actor_id` JOIN (SELECT `id` FROM `roles` WHERE `builtin` = 'owner') `o` ON `o`.`id` = `ur`.`role_id` WHERE `e`.`company_id` = `roles`.`company_id` AND `e`.`subject_type` = 'Role' AND `e`.`subject_id` = `roles`.`id` AND `e`.`after` LIKE '%"developer.write.all"%');

-- +goose Down
-- This cannot be undone: restore a backup.
SELECT * FROM cannot_be_undone;
