-- +goose Up
-- create "widget_tokens" table
CREATE TABLE `widget_tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `person_id` integer NOT NULL,
  `widget` text NOT NULL,
  `origin` text NOT NULL,
  `hash` blob NOT NULL,
  `issued_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `session_id` integer NOT NULL,
  CONSTRAINT `widget_tokens_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `widget_tokens_sessions_session` FOREIGN KEY (`session_id`) REFERENCES `sessions` (`id`) ON DELETE NO ACTION
);
-- create index "widget_tokens_hash_key" to table: "widget_tokens"
CREATE UNIQUE INDEX `widget_tokens_hash_key` ON `widget_tokens` (`hash`);
-- create index "widgettoken_expires_at" to table: "widget_tokens"
CREATE INDEX `widgettoken_expires_at` ON `widget_tokens` (`expires_at`);

-- +goose Down
-- reverse: create index "widgettoken_expires_at" to table: "widget_tokens"
DROP INDEX `widgettoken_expires_at`;
-- reverse: create index "widget_tokens_hash_key" to table: "widget_tokens"
DROP INDEX `widget_tokens_hash_key`;
-- reverse: create "widget_tokens" table
DROP TABLE `widget_tokens`;
