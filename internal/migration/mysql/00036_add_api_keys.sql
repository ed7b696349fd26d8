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
  CONSTRAINT `api_keys_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE SET NULL
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- modify "widget_tokens" table
ALTER TABLE `widget_tokens` DROP FOREIGN KEY `widget_tokens_sessions_session`;
-- modify "widget_tokens" table
ALTER TABLE `widget_tokens` MODIFY COLUMN `session_id` bigint NULL, ADD COLUMN `api_key_id` bigint NULL, ADD CONSTRAINT `widget_tokens_sessions_session` FOREIGN KEY (`session_id`) REFERENCES `sessions` (`id`) ON DELETE SET NULL, ADD CONSTRAINT `widget_tokens_api_keys_api_key` FOREIGN KEY (`api_key_id`) REFERENCES `api_keys` (`id`) ON DELETE SET NULL;

-- +goose Down
-- reverse: modify "widget_tokens" table
ALTER TABLE `widget_tokens` DROP FOREIGN KEY `widget_tokens_api_keys_api_key`, DROP FOREIGN KEY `widget_tokens_sessions_session`, DROP COLUMN `api_key_id`, MODIFY COLUMN `session_id` bigint NOT NULL;
-- reverse: modify "widget_tokens" table
ALTER TABLE `widget_tokens` ADD CONSTRAINT `widget_tokens_sessions_session` FOREIGN KEY (`session_id`) REFERENCES `sessions` (`id`) ON UPDATE RESTRICT ON DELETE NO ACTION;
-- reverse: create "api_keys" table
DROP TABLE `api_keys`;
-- reverse: modify "audit_events" table
ALTER TABLE `audit_events` DROP COLUMN `api_key_id`;
