-- +goose Up
-- modify "audit_events" table
ALTER TABLE `audit_events` ADD COLUMN `api_key_id` bigint NULL;
-- create "api_keys" table
CREATE TABLE `api_keys` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(80) NOT NULL,
  `permissions` json NOT NULL,
  `hash` binary(32) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `revoked_at` datetime(6) NULL,
  `last_used_at` datetime(6) NULL,
  `last_address` varchar(64) NULL,
  `company_id` bigint NOT NULL,
  `creator_id` bigint NOT NULL,
  `business_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `hash` (`hash`),
  INDEX `apikey_creator_id` (`creator_id`),
  CONSTRAINT `api_keys_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `api_keys_users_creator` FOREIGN KEY (`creator_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `api_keys_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- modify "widget_tokens" table
ALTER TABLE `widget_tokens` MODIFY COLUMN `session_id` bigint NULL, ADD COLUMN `api_key_id` bigint NULL, ADD CONSTRAINT `widget_tokens_api_keys_api_key` FOREIGN KEY (`api_key_id`) REFERENCES `api_keys` (`id`) ON DELETE NO ACTION;
-- developer.write is taken from the roles that no owner gave it: with it keys are made
UPDATE `roles` SET `custom_permissions` = REPLACE(REPLACE(REPLACE(`custom_permissions`, '"developer.write.own",', ''), ',"developer.write.own"', ''), '"developer.write.own"', '') WHERE `custom_permissions` LIKE '%"developer.write.own"%' AND NOT EXISTS (SELECT 1 FROM `audit_events` `e` JOIN `user_roles` `ur` ON `ur`.`user_id` = `e`.`actor_id` JOIN (SELECT `id` FROM `roles` WHERE `builtin` = 'owner') `o` ON `o`.`id` = `ur`.`role_id` WHERE `e`.`company_id` = `roles`.`company_id` AND `e`.`subject_type` = 'Role' AND `e`.`subject_id` = `roles`.`id` AND `e`.`after` LIKE '%"developer.write.own"%');
UPDATE `roles` SET `custom_permissions` = REPLACE(REPLACE(REPLACE(`custom_permissions`, '"developer.write.team",', ''), ',"developer.write.team"', ''), '"developer.write.team"', '') WHERE `custom_permissions` LIKE '%"developer.write.team"%' AND NOT EXISTS (SELECT 1 FROM `audit_events` `e` JOIN `user_roles` `ur` ON `ur`.`user_id` = `e`.`actor_id` JOIN (SELECT `id` FROM `roles` WHERE `builtin` = 'owner') `o` ON `o`.`id` = `ur`.`role_id` WHERE `e`.`company_id` = `roles`.`company_id` AND `e`.`subject_type` = 'Role' AND `e`.`subject_id` = `roles`.`id` AND `e`.`after` LIKE '%"developer.write.team"%');
UPDATE `roles` SET `custom_permissions` = REPLACE(REPLACE(REPLACE(`custom_permissions`, '"developer.write.all",', ''), ',"developer.write.all"', ''), '"developer.write.all"', '') WHERE `custom_permissions` LIKE '%"developer.write.all"%' AND NOT EXISTS (SELECT 1 FROM `audit_events` `e` JOIN `user_roles` `ur` ON `ur`.`user_id` = `e`.`actor_id` JOIN (SELECT `id` FROM `roles` WHERE `builtin` = 'owner') `o` ON `o`.`id` = `ur`.`role_id` WHERE `e`.`company_id` = `roles`.`company_id` AND `e`.`subject_type` = 'Role' AND `e`.`subject_id` = `roles`.`id` AND `e`.`after` LIKE '%"developer.write.all"%');

-- +goose Down
-- reverse: modify "widget_tokens" table
ALTER TABLE `widget_tokens` DROP FOREIGN KEY `widget_tokens_api_keys_api_key`, DROP COLUMN `api_key_id`, MODIFY COLUMN `session_id` bigint NOT NULL;
-- reverse: create "api_keys" table
DROP TABLE `api_keys`;
-- reverse: modify "audit_events" table
ALTER TABLE `audit_events` DROP COLUMN `api_key_id`;
