-- +goose Up
-- create "addresses" table
CREATE TABLE `addresses` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `address` varchar(500) NOT NULL,
  `latitude` double NOT NULL,
  `longitude` double NOT NULL,
  `radius` bigint NULL,
  `timezone` varchar(64) NULL,
  `geofence_in` enum('block','flag','off') NOT NULL DEFAULT 'block',
  `geofence_out` enum('block','flag','off') NOT NULL DEFAULT 'flag',
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `address_company_id_sort_name` (`company_id`, `sort_name`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "attendances" table
CREATE TABLE `attendances` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `work_date` char(10) NOT NULL,
  `open_marker` tinyint NULL DEFAULT 1,
  `needs_confirmation` bool NOT NULL DEFAULT false,
  `face_verdict` enum('none','registered','provisional','unchecked') NOT NULL DEFAULT 'none',
  `face_matched` bool NULL,
  `face_digest` binary(32) NULL,
  `clocked_in_at` datetime(6) NOT NULL,
  `clocked_in_local` varchar(19) NOT NULL,
  `clocked_in_offset` bigint NOT NULL,
  `clocked_in_zone` varchar(64) NOT NULL,
  `clocked_in_received_at` datetime(6) NOT NULL,
  `clocked_in_latitude` double NOT NULL,
  `clocked_in_longitude` double NOT NULL,
  `clocked_in_source` enum('app','offline','auto','correction') NOT NULL,
  `clocked_in_geofence` enum('inside','outside','unlimited','off') NOT NULL,
  `clocked_in_recorded_at` datetime(6) NULL,
  `clocked_in_accuracy` double NULL,
  `clocked_in_mocked` bool NULL,
  `clocked_in_distance` bigint NULL,
  `clocked_in_note` varchar(1000) NULL,
  `clocked_in_flags` text NULL,
  `clocked_in_device_id` bigint NULL,
  `clocked_out_at` datetime(6) NULL,
  `clocked_out_local` varchar(19) NULL,
  `clocked_out_offset` bigint NULL,
  `clocked_out_zone` varchar(64) NULL,
  `clocked_out_received_at` datetime(6) NULL,
  `clocked_out_latitude` double NULL,
  `clocked_out_longitude` double NULL,
  `clocked_out_source` enum('app','offline','auto','correction') NULL,
  `clocked_out_geofence` enum('inside','outside','unlimited','off') NULL,
  `clocked_out_recorded_at` datetime(6) NULL,
  `clocked_out_accuracy` double NULL,
  `clocked_out_mocked` bool NULL,
  `clocked_out_distance` bigint NULL,
  `clocked_out_note` varchar(1000) NULL,
  `clocked_out_flags` text NULL,
  `clocked_out_device_id` bigint NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `employee_shift_id` bigint NOT NULL,
  `address_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `attendance_user_id_open_marker` (`user_id`, `open_marker`),
  UNIQUE INDEX `attendance_user_id_employee_shift_id_clocked_in_recorded_at` (`user_id`, `employee_shift_id`, `clocked_in_recorded_at`),
  INDEX `attendance_company_id_user_id_work_date` (`company_id`, `user_id`, `work_date`),
  INDEX `attendance_company_id_clocked_in_at` (`company_id`, `clocked_in_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "audit_events" table
CREATE TABLE `audit_events` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `action` varchar(64) NOT NULL,
  `subject_type` varchar(64) NOT NULL,
  `subject_id` bigint NOT NULL,
  `at` datetime(6) NOT NULL,
  `address` varchar(64) NOT NULL,
  `request_id` varchar(128) NOT NULL,
  `before` mediumtext NULL,
  `after` mediumtext NULL,
  `company_id` bigint NOT NULL,
  `actor_id` bigint NULL,
  PRIMARY KEY (`id`),
  INDEX `auditevent_company_id_at` (`company_id`, `at`),
  INDEX `auditevent_company_id_subject_type_subject_id` (`company_id`, `subject_type`, `subject_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "businesses" table
CREATE TABLE `businesses` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `company_id` bigint NOT NULL,
  `parent_id` bigint NULL,
  `manager_id` bigint NULL,
  PRIMARY KEY (`id`),
  INDEX `business_company_id_sort_name` (`company_id`, `sort_name`),
  CONSTRAINT `businesses_businesses_children` FOREIGN KEY (`parent_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "clock_states" table
CREATE TABLE `clock_states` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `events` bigint NOT NULL DEFAULT 0,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `clockstate_user_id` (`user_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "companies" table
CREATE TABLE `companies` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `logo` varchar(2000) NOT NULL DEFAULT 'images/avatar.png',
  `timezone` varchar(64) NOT NULL,
  `locale` varchar(16) NOT NULL DEFAULT 'id',
  `created_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "designations" table
CREATE TABLE `designations` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `designation_company_id_sort_name` (`company_id`, `sort_name`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "devices" table
CREATE TABLE `devices` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `device_id` varchar(255) NOT NULL,
  `platform` enum('android','ios','web') NOT NULL,
  `model` varchar(255) NULL,
  `os_version` varchar(64) NULL,
  `app_version` varchar(64) NULL,
  `push_token` mediumtext NULL,
  `token_hash` binary(32) NOT NULL,
  `next_token_hash` binary(32) NULL,
  `created_at` datetime(6) NOT NULL,
  `revoked_at` datetime(6) NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `token_hash` (`token_hash`),
  UNIQUE INDEX `next_token_hash` (`next_token_hash`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "device_trusts" table
CREATE TABLE `device_trusts` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `trusted_at` datetime(6) NOT NULL,
  `revoked_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `device_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `devicetrust_user_id_device_id` (`user_id`, `device_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "employee_shifts" table
CREATE TABLE `employee_shifts` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `shift_version` bigint NOT NULL,
  `name` varchar(100) NOT NULL,
  `date` char(10) NOT NULL,
  `start_at` datetime(6) NOT NULL,
  `end_at` datetime(6) NOT NULL,
  `clock_in_from` datetime(6) NOT NULL,
  `clock_in_until` datetime(6) NOT NULL,
  `breaks` text NULL,
  `break_seconds` bigint NOT NULL,
  `late_grace_minutes` bigint NULL,
  `early_grace_minutes` bigint NULL,
  `half_day_below_minutes` bigint NOT NULL DEFAULT 0,
  `absent_below_minutes` bigint NOT NULL DEFAULT 0,
  `working_hours` enum('first_last','every_valid_pair') NOT NULL DEFAULT 'first_last',
  `timezone` varchar(64) NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `assignment_id` bigint NOT NULL,
  `shift_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `employeeshift_assignment_id_date` (`assignment_id`, `date`),
  INDEX `employeeshift_company_id_user_id_date` (`company_id`, `user_id`, `date`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "face_templates" table
CREATE TABLE `face_templates` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `version` bigint NOT NULL,
  `in_force` tinyint NULL DEFAULT 1,
  `provisional` bool NOT NULL DEFAULT false,
  `points` bigint NOT NULL,
  `sealed` mediumtext NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `facetemplate_user_id_in_force` (`user_id`, `in_force`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "former_passwords" table
CREATE TABLE `former_passwords` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `hash` varchar(255) NOT NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `formerpassword_user_id_created_at` (`user_id`, `created_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "idempotency_claims" table
CREATE TABLE `idempotency_claims` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `user_id` bigint NOT NULL,
  `key` varchar(255) NOT NULL,
  `fingerprint` binary(32) NOT NULL,
  `holder` binary(32) NOT NULL,
  `lease_until` datetime(6) NOT NULL,
  `outcome` mediumtext NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `idempotencyclaim_user_id_key` (`user_id`, `key`),
  INDEX `idempotencyclaim_created_at` (`created_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "login_throttles" table
CREATE TABLE `login_throttles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `key` binary(32) NOT NULL,
  `failures` bigint NOT NULL DEFAULT 0,
  `blocked_until` datetime(6) NOT NULL,
  `updated_at` datetime(6) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `key` (`key`),
  INDEX `loginthrottle_updated_at` (`updated_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "messages" table
CREATE TABLE `messages` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `kind` varchar(32) NOT NULL,
  `channel` enum('email','sms','whatsapp') NOT NULL,
  `destination` varchar(254) NOT NULL,
  `sealed_text` mediumtext NULL,
  `status` enum('queued','sent','delivered','read','failed') NOT NULL DEFAULT 'queued',
  `attempts` bigint NOT NULL DEFAULT 0,
  `failures` bigint NOT NULL DEFAULT 0,
  `failed_at` datetime(6) NULL,
  `created_at` datetime(6) NOT NULL,
  `due_at` datetime(6) NULL,
  `expires_at` datetime(6) NOT NULL,
  `sent_at` datetime(6) NULL,
  `error` varchar(500) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `message_status_due_at` (`status`, `due_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "one_time_codes" table
CREATE TABLE `one_time_codes` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `purpose` enum('login','reset') NOT NULL,
  `account` binary(32) NOT NULL,
  `user_id` bigint NULL,
  `device_id` bigint NOT NULL,
  `request_id` char(15) NULL,
  `digest` binary(32) NOT NULL,
  `attempts` bigint NOT NULL DEFAULT 0,
  `created_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `used_at` datetime(6) NULL,
  `live` tinyint NULL DEFAULT 1,
  `voided_at` datetime(6) NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `request_id` (`request_id`),
  UNIQUE INDEX `onetimecode_account_purpose_device_id_live` (`account`, `purpose`, `device_id`, `live`),
  INDEX `onetimecode_account_created_at` (`account`, `created_at`),
  INDEX `onetimecode_user_id_purpose_device_id` (`user_id`, `purpose`, `device_id`),
  INDEX `onetimecode_expires_at` (`expires_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "password_keys" table
CREATE TABLE `password_keys` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `kid` varchar(64) NOT NULL,
  `sealed_private` mediumtext NOT NULL,
  `current` tinyint NULL,
  `created_at` datetime(6) NOT NULL,
  `accepted_until` datetime(6) NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `kid` (`kid`),
  UNIQUE INDEX `current` (`current`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "rate_windows" table
CREATE TABLE `rate_windows` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `key` binary(32) NOT NULL,
  `starts_at` datetime(6) NOT NULL,
  `count` bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `ratewindow_key_starts_at` (`key`, `starts_at`),
  INDEX `ratewindow_starts_at` (`starts_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "request_records" table
CREATE TABLE `request_records` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `user_id` bigint NOT NULL,
  `device_id` bigint NOT NULL,
  `request_id` varchar(128) NOT NULL,
  `fingerprint` binary(32) NOT NULL,
  `outcome` mediumtext NOT NULL DEFAULT '',
  `attendance_id` bigint NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `requestrecord_user_id_request_id_fingerprint` (`user_id`, `request_id`, `fingerprint`),
  INDEX `requestrecord_device_id_request_id` (`device_id`, `request_id`),
  INDEX `requestrecord_created_at` (`created_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "roles" table
CREATE TABLE `roles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `builtin` varchar(16) NULL,
  `custom_permissions` text NULL,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `role_company_id_sort_name` (`company_id`, `sort_name`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "sessions" table
CREATE TABLE `sessions` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `family` binary(16) NOT NULL,
  `generation` bigint NOT NULL DEFAULT 0,
  `created_at` datetime(6) NOT NULL,
  `verified_at` datetime(6) NULL,
  `ends_at` datetime(6) NULL,
  `revoked_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `device_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `family` (`family`),
  INDEX `session_user_id_revoked_at` (`user_id`, `revoked_at`),
  INDEX `session_device_id` (`device_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "settings" table
CREATE TABLE `settings` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(64) NOT NULL,
  `value` varchar(255) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `name` (`name`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "shifts" table
CREATE TABLE `shifts` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `start_time` varchar(5) NOT NULL,
  `end_time` varchar(5) NOT NULL,
  `timezone` varchar(64) NULL,
  `opens_before_minutes` bigint NOT NULL DEFAULT 60,
  `closes_after_minutes` bigint NOT NULL DEFAULT 60,
  `late_grace_minutes` bigint NULL,
  `early_grace_minutes` bigint NULL,
  `half_day_below_minutes` bigint NOT NULL DEFAULT 0,
  `absent_below_minutes` bigint NOT NULL DEFAULT 0,
  `breaks` text NULL,
  `working_hours` enum('first_last','every_valid_pair') NOT NULL DEFAULT 'first_last',
  `version` bigint NOT NULL DEFAULT 1,
  `company_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `shift_company_id_sort_name` (`company_id`, `sort_name`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "shift_assignments" table
CREATE TABLE `shift_assignments` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `starts_on` char(10) NOT NULL,
  `ends_on` char(10) NULL,
  `weekdays` varchar(32) NOT NULL,
  `every_weeks` bigint NOT NULL DEFAULT 1,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `shift_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  INDEX `shiftassignment_company_id_user_id_starts_on` (`company_id`, `user_id`, `starts_on`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "tokens" table
CREATE TABLE `tokens` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `kind` enum('user','access','refresh') NOT NULL,
  `hash` binary(32) NOT NULL,
  `generation` bigint NOT NULL,
  `issued_at` datetime(6) NOT NULL,
  `expires_at` datetime(6) NOT NULL,
  `spent_at` datetime(6) NULL,
  `revoked_at` datetime(6) NULL,
  `company_id` bigint NOT NULL,
  `session_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `hash` (`hash`),
  INDEX `token_session_id_kind_generation` (`session_id`, `kind`, `generation`),
  INDEX `token_expires_at` (`expires_at`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "users" table
CREATE TABLE `users` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `name` varchar(100) NOT NULL,
  `sort_name` varchar(400) NOT NULL,
  `email` varchar(254) NOT NULL,
  `email_key` varchar(254) NOT NULL,
  `image` varchar(2000) NOT NULL DEFAULT 'images/avatar.png',
  `mobile_number` varchar(255) NOT NULL,
  `phone` varchar(20) NULL,
  `gender` varchar(16) NULL,
  `salutation` varchar(32) NULL,
  `locale` varchar(16) NOT NULL DEFAULT 'id',
  `password_hash` varchar(255) NULL,
  `active` bool NOT NULL DEFAULT true,
  `message_channel` enum('email','sms','whatsapp') NULL,
  `stopped_whatsapp` varchar(20) NULL,
  `stopped_sms` varchar(20) NULL,
  `stopped_email` varchar(254) NULL,
  `joined_on` char(10) NULL,
  `left_on` char(10) NULL,
  `created_at` datetime(6) NOT NULL,
  `company_id` bigint NOT NULL,
  `business_id` bigint NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `email_key` (`email_key`),
  UNIQUE INDEX `phone` (`phone`),
  INDEX `user_company_id_active_sort_name` (`company_id`, `active`, `sort_name`),
  INDEX `user_company_id_business_id` (`company_id`, `business_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "user_designations" table
CREATE TABLE `user_designations` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `designation_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `userdesignation_user_id_designation_id` (`user_id`, `designation_id`),
  INDEX `userdesignation_company_id_user_id_designation_id` (`company_id`, `user_id`, `designation_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- create "user_roles" table
CREATE TABLE `user_roles` (
  `id` bigint NOT NULL AUTO_INCREMENT,
  `company_id` bigint NOT NULL,
  `user_id` bigint NOT NULL,
  `role_id` bigint NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE INDEX `userrole_user_id_role_id` (`user_id`, `role_id`)
) CHARSET utf8mb4 COLLATE utf8mb4_bin ENGINE InnoDB;
-- modify "addresses" table
ALTER TABLE `addresses` ADD CONSTRAINT `addresses_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION;
-- modify "attendances" table
ALTER TABLE `attendances` ADD CONSTRAINT `attendances_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `attendances_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `attendances_employee_shifts_employee_shift` FOREIGN KEY (`employee_shift_id`) REFERENCES `employee_shifts` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `attendances_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION;
-- modify "audit_events" table
ALTER TABLE `audit_events` ADD CONSTRAINT `audit_events_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `audit_events_users_actor` FOREIGN KEY (`actor_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- modify "businesses" table
ALTER TABLE `businesses` ADD CONSTRAINT `businesses_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `businesses_users_manager` FOREIGN KEY (`manager_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- modify "clock_states" table
ALTER TABLE `clock_states` ADD CONSTRAINT `clock_states_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `clock_states_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- modify "designations" table
ALTER TABLE `designations` ADD CONSTRAINT `designations_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION;
-- modify "device_trusts" table
ALTER TABLE `device_trusts` ADD CONSTRAINT `device_trusts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `device_trusts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `device_trusts_devices_device` FOREIGN KEY (`device_id`) REFERENCES `devices` (`id`) ON DELETE NO ACTION;
-- modify "employee_shifts" table
ALTER TABLE `employee_shifts` ADD CONSTRAINT `employee_shifts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `employee_shifts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `employee_shifts_shift_assignments_assignment` FOREIGN KEY (`assignment_id`) REFERENCES `shift_assignments` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `employee_shifts_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION;
-- modify "face_templates" table
ALTER TABLE `face_templates` ADD CONSTRAINT `face_templates_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `face_templates_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- modify "former_passwords" table
ALTER TABLE `former_passwords` ADD CONSTRAINT `former_passwords_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `former_passwords_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- modify "idempotency_claims" table
ALTER TABLE `idempotency_claims` ADD CONSTRAINT `idempotency_claims_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION;
-- modify "messages" table
ALTER TABLE `messages` ADD CONSTRAINT `messages_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `messages_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION;
-- modify "request_records" table
ALTER TABLE `request_records` ADD CONSTRAINT `request_records_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION;
-- modify "roles" table
ALTER TABLE `roles` ADD CONSTRAINT `roles_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION;
-- modify "sessions" table
ALTER TABLE `sessions` ADD CONSTRAINT `sessions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `sessions_devices_device` FOREIGN KEY (`device_id`) REFERENCES `devices` (`id`) ON DELETE NO ACTION;
-- modify "shifts" table
ALTER TABLE `shifts` ADD CONSTRAINT `shifts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION;
-- modify "shift_assignments" table
ALTER TABLE `shift_assignments` ADD CONSTRAINT `shift_assignments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `shift_assignments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `shift_assignments_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION;
-- modify "tokens" table
ALTER TABLE `tokens` ADD CONSTRAINT `tokens_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `tokens_sessions_session` FOREIGN KEY (`session_id`) REFERENCES `sessions` (`id`) ON DELETE NO ACTION;
-- modify "users" table
ALTER TABLE `users` ADD CONSTRAINT `users_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `users_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION;
-- modify "user_designations" table
ALTER TABLE `user_designations` ADD CONSTRAINT `user_designations_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `user_designations_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `user_designations_designations_designation` FOREIGN KEY (`designation_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION;
-- modify "user_roles" table
ALTER TABLE `user_roles` ADD CONSTRAINT `user_roles_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `user_roles_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION, ADD CONSTRAINT `user_roles_roles_role` FOREIGN KEY (`role_id`) REFERENCES `roles` (`id`) ON DELETE NO ACTION;

-- +goose Down
-- reverse: modify "user_roles" table
ALTER TABLE `user_roles` DROP FOREIGN KEY `user_roles_roles_role`, DROP FOREIGN KEY `user_roles_users_user`, DROP FOREIGN KEY `user_roles_companies_company`;
-- reverse: modify "user_designations" table
ALTER TABLE `user_designations` DROP FOREIGN KEY `user_designations_designations_designation`, DROP FOREIGN KEY `user_designations_users_user`, DROP FOREIGN KEY `user_designations_companies_company`;
-- reverse: modify "users" table
ALTER TABLE `users` DROP FOREIGN KEY `users_businesses_business`, DROP FOREIGN KEY `users_companies_company`;
-- reverse: modify "tokens" table
ALTER TABLE `tokens` DROP FOREIGN KEY `tokens_sessions_session`, DROP FOREIGN KEY `tokens_companies_company`;
-- reverse: modify "shift_assignments" table
ALTER TABLE `shift_assignments` DROP FOREIGN KEY `shift_assignments_shifts_shift`, DROP FOREIGN KEY `shift_assignments_users_user`, DROP FOREIGN KEY `shift_assignments_companies_company`;
-- reverse: modify "shifts" table
ALTER TABLE `shifts` DROP FOREIGN KEY `shifts_companies_company`;
-- reverse: modify "sessions" table
ALTER TABLE `sessions` DROP FOREIGN KEY `sessions_devices_device`, DROP FOREIGN KEY `sessions_users_user`, DROP FOREIGN KEY `sessions_companies_company`;
-- reverse: modify "roles" table
ALTER TABLE `roles` DROP FOREIGN KEY `roles_companies_company`;
-- reverse: modify "request_records" table
ALTER TABLE `request_records` DROP FOREIGN KEY `request_records_companies_company`;
-- reverse: modify "messages" table
ALTER TABLE `messages` DROP FOREIGN KEY `messages_users_user`, DROP FOREIGN KEY `messages_companies_company`;
-- reverse: modify "idempotency_claims" table
ALTER TABLE `idempotency_claims` DROP FOREIGN KEY `idempotency_claims_companies_company`;
-- reverse: modify "former_passwords" table
ALTER TABLE `former_passwords` DROP FOREIGN KEY `former_passwords_users_user`, DROP FOREIGN KEY `former_passwords_companies_company`;
-- reverse: modify "face_templates" table
ALTER TABLE `face_templates` DROP FOREIGN KEY `face_templates_users_user`, DROP FOREIGN KEY `face_templates_companies_company`;
-- reverse: modify "employee_shifts" table
ALTER TABLE `employee_shifts` DROP FOREIGN KEY `employee_shifts_shifts_shift`, DROP FOREIGN KEY `employee_shifts_shift_assignments_assignment`, DROP FOREIGN KEY `employee_shifts_users_user`, DROP FOREIGN KEY `employee_shifts_companies_company`;
-- reverse: modify "device_trusts" table
ALTER TABLE `device_trusts` DROP FOREIGN KEY `device_trusts_devices_device`, DROP FOREIGN KEY `device_trusts_users_user`, DROP FOREIGN KEY `device_trusts_companies_company`;
-- reverse: modify "designations" table
ALTER TABLE `designations` DROP FOREIGN KEY `designations_companies_company`;
-- reverse: modify "clock_states" table
ALTER TABLE `clock_states` DROP FOREIGN KEY `clock_states_users_user`, DROP FOREIGN KEY `clock_states_companies_company`;
-- reverse: modify "businesses" table
ALTER TABLE `businesses` DROP FOREIGN KEY `businesses_users_manager`, DROP FOREIGN KEY `businesses_companies_company`;
-- reverse: modify "audit_events" table
ALTER TABLE `audit_events` DROP FOREIGN KEY `audit_events_users_actor`, DROP FOREIGN KEY `audit_events_companies_company`;
-- reverse: modify "attendances" table
ALTER TABLE `attendances` DROP FOREIGN KEY `attendances_addresses_address`, DROP FOREIGN KEY `attendances_employee_shifts_employee_shift`, DROP FOREIGN KEY `attendances_users_user`, DROP FOREIGN KEY `attendances_companies_company`;
-- reverse: modify "addresses" table
ALTER TABLE `addresses` DROP FOREIGN KEY `addresses_companies_company`;
-- reverse: create "user_roles" table
DROP TABLE `user_roles`;
-- reverse: create "user_designations" table
DROP TABLE `user_designations`;
-- reverse: create "users" table
DROP TABLE `users`;
-- reverse: create "tokens" table
DROP TABLE `tokens`;
-- reverse: create "shift_assignments" table
DROP TABLE `shift_assignments`;
-- reverse: create "shifts" table
DROP TABLE `shifts`;
-- reverse: create "settings" table
DROP TABLE `settings`;
-- reverse: create "sessions" table
DROP TABLE `sessions`;
-- reverse: create "roles" table
DROP TABLE `roles`;
-- reverse: create "request_records" table
DROP TABLE `request_records`;
-- reverse: create "rate_windows" table
DROP TABLE `rate_windows`;
-- reverse: create "password_keys" table
DROP TABLE `password_keys`;
-- reverse: create "one_time_codes" table
DROP TABLE `one_time_codes`;
-- reverse: create "messages" table
DROP TABLE `messages`;
-- reverse: create "login_throttles" table
DROP TABLE `login_throttles`;
-- reverse: create "idempotency_claims" table
DROP TABLE `idempotency_claims`;
-- reverse: create "former_passwords" table
DROP TABLE `former_passwords`;
-- reverse: create "face_templates" table
DROP TABLE `face_templates`;
-- reverse: create "employee_shifts" table
DROP TABLE `employee_shifts`;
-- reverse: create "device_trusts" table
DROP TABLE `device_trusts`;
-- reverse: create "devices" table
DROP TABLE `devices`;
-- reverse: create "designations" table
DROP TABLE `designations`;
-- reverse: create "companies" table
DROP TABLE `companies`;
-- reverse: create "clock_states" table
DROP TABLE `clock_states`;
-- reverse: create "businesses" table
DROP TABLE `businesses`;
-- reverse: create "audit_events" table
DROP TABLE `audit_events`;
-- reverse: create "attendances" table
DROP TABLE `attendances`;
-- reverse: create "addresses" table
DROP TABLE `addresses`;
