-- +goose Up
-- create "new_companies" table
CREATE TABLE `new_companies` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `logo` text NOT NULL DEFAULT ('images/company.png'),
  `logo_file_id` integer NULL,
  `timezone` text NOT NULL,
  `locale` text NOT NULL DEFAULT ('id'),
  `settings` text NULL,
  `created_at` datetime NOT NULL
);
-- copy rows from old table "companies" to new temporary table "new_companies"
INSERT INTO `new_companies` (`id`, `name`, `logo`, `logo_file_id`, `timezone`, `locale`, `settings`, `created_at`) SELECT `id`, `name`, IFNULL(`logo`, ('images/company.png')) AS `logo`, `logo_file_id`, `timezone`, `locale`, `settings`, `created_at` FROM `companies`;
-- drop "companies" table after copying rows
DROP TABLE `companies`;
-- rename temporary table "new_companies" to "companies"
ALTER TABLE `new_companies` RENAME TO `companies`;
-- create index "company_logo_file_id" to table: "companies"
CREATE INDEX `company_logo_file_id` ON `companies` (`logo_file_id`);
-- the logo of companies without one
UPDATE `companies` SET `logo` = 'images/company.png' WHERE `logo` = 'images/avatar.png' AND `logo_file_id` IS NULL;

-- +goose Down
-- create "new_companies" table
CREATE TABLE `new_companies` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `logo` text NOT NULL DEFAULT ('images/avatar.png'),
  `logo_file_id` integer NULL,
  `timezone` text NOT NULL,
  `locale` text NOT NULL DEFAULT ('id'),
  `settings` text NULL,
  `created_at` datetime NOT NULL
);
-- copy rows from old table "companies" to new temporary table "new_companies"
INSERT INTO `new_companies` (`id`, `name`, `logo`, `logo_file_id`, `timezone`, `locale`, `settings`, `created_at`) SELECT `id`, `name`, IFNULL(`logo`, ('images/avatar.png')) AS `logo`, `logo_file_id`, `timezone`, `locale`, `settings`, `created_at` FROM `companies`;
-- drop "companies" table after copying rows
DROP TABLE `companies`;
-- rename temporary table "new_companies" to "companies"
ALTER TABLE `new_companies` RENAME TO `companies`;
-- create index "company_logo_file_id" to table: "companies"
CREATE INDEX `company_logo_file_id` ON `companies` (`logo_file_id`);
-- reverse: the logo of companies without one
UPDATE `companies` SET `logo` = 'images/avatar.png' WHERE `logo` = 'images/company.png' AND `logo_file_id` IS NULL;
