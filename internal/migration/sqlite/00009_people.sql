-- +goose Up
-- create "business_periods" table
CREATE TABLE `business_periods` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `from` text NULL,
  `until` text NULL,
  `live` integer NULL DEFAULT (1),
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `business_id` integer NULL,
  CONSTRAINT `business_periods_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `business_periods_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `business_periods_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
);
-- create index "businessperiod_user_id_live" to table: "business_periods"
CREATE UNIQUE INDEX `businessperiod_user_id_live` ON `business_periods` (`user_id`, `live`);
-- create "designation_periods" table
CREATE TABLE `designation_periods` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `from` text NULL,
  `until` text NULL,
  `live` integer NULL DEFAULT (1),
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `designation_id` integer NULL,
  CONSTRAINT `designation_periods_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `designation_periods_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `designation_periods_designations_designation` FOREIGN KEY (`designation_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION
);
-- create index "designationperiod_user_id_designation_id_live" to table: "designation_periods"
CREATE UNIQUE INDEX `designationperiod_user_id_designation_id_live` ON `designation_periods` (`user_id`, `designation_id`, `live`);
-- create "setup_links" table
CREATE TABLE `setup_links` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `token_hash` blob NOT NULL,
  `created_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `closed_at` datetime NULL
);
-- create index "setup_links_token_hash_key" to table: "setup_links"
CREATE UNIQUE INDEX `setup_links_token_hash_key` ON `setup_links` (`token_hash`);
-- what is so today began before there was a history
INSERT INTO `business_periods` (`name`, `live`, `company_id`, `user_id`, `business_id`)
SELECT b.`name`, 1, u.`company_id`, u.`id`, u.`business_id` FROM `users` u JOIN `businesses` b ON b.`id` = u.`business_id`;
INSERT INTO `designation_periods` (`name`, `live`, `company_id`, `user_id`, `designation_id`)
SELECT d.`name`, 1, ud.`company_id`, ud.`user_id`, ud.`designation_id` FROM `user_designations` ud JOIN `designations` d ON d.`id` = ud.`designation_id`;

-- +goose Down
-- reverse: create index "setup_links_token_hash_key" to table: "setup_links"
DROP INDEX `setup_links_token_hash_key`;
-- reverse: create "setup_links" table
DROP TABLE `setup_links`;
-- reverse: create index "designationperiod_user_id_designation_id_live" to table: "designation_periods"
DROP INDEX `designationperiod_user_id_designation_id_live`;
-- reverse: create "designation_periods" table
DROP TABLE `designation_periods`;
-- reverse: create index "businessperiod_user_id_live" to table: "business_periods"
DROP INDEX `businessperiod_user_id_live`;
-- reverse: create "business_periods" table
DROP TABLE `business_periods`;
