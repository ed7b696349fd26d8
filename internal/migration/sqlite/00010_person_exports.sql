-- +goose Up
-- create "person_exports" table
CREATE TABLE `person_exports` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `job_id` integer NULL,
  `file_id` integer NULL,
  `created_at` datetime NOT NULL,
  `finished_at` datetime NULL,
  `expires_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `person_exports_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `person_exports_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "personexport_user_id" to table: "person_exports"
CREATE UNIQUE INDEX `personexport_user_id` ON `person_exports` (`user_id`);
-- create index "personexport_file_id" to table: "person_exports"
CREATE INDEX `personexport_file_id` ON `person_exports` (`file_id`);
-- create index "personexport_expires_at" to table: "person_exports"
CREATE INDEX `personexport_expires_at` ON `person_exports` (`expires_at`);

-- +goose Down
-- reverse: create index "personexport_expires_at" to table: "person_exports"
DROP INDEX `personexport_expires_at`;
-- reverse: create index "personexport_file_id" to table: "person_exports"
DROP INDEX `personexport_file_id`;
-- reverse: create index "personexport_user_id" to table: "person_exports"
DROP INDEX `personexport_user_id`;
-- reverse: create "person_exports" table
DROP TABLE `person_exports`;
