-- +goose Up
-- modify "one_time_codes" table
ALTER TABLE `one_time_codes` MODIFY COLUMN `purpose` enum('login','reset','first') NOT NULL;
-- create "setup_links" table
CREATE TABLE `setup_links` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `token_hash` binary(32) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `closed_at` datetime(6) NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `token_hash` (`token_hash`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "business_periods" table
CREATE TABLE `business_periods` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(400) NOT NULL,
  `from` char(10) NULL,
  `until` char(10) NULL,
  `live` tinyint NULL DEFAULT 1,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `business_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `businessperiod_user_id_live` (`user_id`, `live`),
  CONSTRAINT `business_periods_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `business_periods_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `business_periods_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "designation_periods" table
CREATE TABLE `designation_periods` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(400) NOT NULL,
  `from` char(10) NULL,
  `until` char(10) NULL,
  `live` tinyint NULL DEFAULT 1,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `designation_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `designationperiod_user_id_designation_id_live` (`user_id`, `designation_id`, `live`),
  CONSTRAINT `designation_periods_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `designation_periods_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `designation_periods_designations_designation` FOREIGN KEY (`designation_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- what is so today began before there was a history
INSERT INTO `business_periods` (`name`, `live`, `company_id`, `user_id`, `business_id`)
SELECT b.`name`, 1, u.`company_id`, u.`id`, u.`business_id` FROM `users` u JOIN `businesses` b ON b.`id` = u.`business_id`;
INSERT INTO `designation_periods` (`name`, `live`, `company_id`, `user_id`, `designation_id`)
SELECT d.`name`, 1, ud.`company_id`, ud.`user_id`, ud.`designation_id` FROM `user_designations` ud JOIN `designations` d ON d.`id` = ud.`designation_id`;

-- +goose Down
-- reverse: create "designation_periods" table
DROP TABLE `designation_periods`;
-- reverse: create "business_periods" table
DROP TABLE `business_periods`;
-- reverse: create "setup_links" table
DROP TABLE `setup_links`;
-- reverse: modify "one_time_codes" table
ALTER TABLE `one_time_codes` MODIFY COLUMN `purpose` enum('login','reset') NOT NULL;
