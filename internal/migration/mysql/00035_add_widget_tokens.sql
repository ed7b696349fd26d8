-- +goose Up
-- create "widget_tokens" table
CREATE TABLE `widget_tokens` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `person_id` bigint NOT NULL,
  `widget` enum('timesheet','tasks','ticket') NOT NULL,
  `origin` varchar(300) NOT NULL,
  `hash` binary(32) NOT NULL,
  `issued_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `session_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `hash` (`hash`),
  INDEX `widgettoken_expires_at` (`expires_at`),
  CONSTRAINT `widget_tokens_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `widget_tokens_sessions_session` FOREIGN KEY (`session_id`) REFERENCES `sessions` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;

-- +goose Down
-- reverse: create "widget_tokens" table
DROP TABLE `widget_tokens`;
