-- +goose Up
-- create "addresses" table
CREATE TABLE `addresses` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `address` text NOT NULL,
  `latitude` real NOT NULL,
  `longitude` real NOT NULL,
  `radius` integer NULL,
  `timezone` text NULL,
  `geofence_in` text NOT NULL DEFAULT ('block'),
  `geofence_out` text NOT NULL DEFAULT ('flag'),
  `company_id` integer NOT NULL,
  CONSTRAINT `addresses_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "address_company_id_sort_name" to table: "addresses"
CREATE INDEX `address_company_id_sort_name` ON `addresses` (`company_id`, `sort_name`);
-- create "attendances" table
CREATE TABLE `attendances` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `work_date` text NOT NULL,
  `open_marker` integer NULL DEFAULT (1),
  `needs_confirmation` bool NOT NULL DEFAULT (false),
  `face_verdict` text NOT NULL DEFAULT ('none'),
  `face_matched` bool NULL,
  `face_digest` blob NULL,
  `clocked_in_at` datetime NOT NULL,
  `clocked_in_local` text NOT NULL,
  `clocked_in_offset` integer NOT NULL,
  `clocked_in_zone` text NOT NULL,
  `clocked_in_received_at` datetime NOT NULL,
  `clocked_in_latitude` real NOT NULL,
  `clocked_in_longitude` real NOT NULL,
  `clocked_in_source` text NOT NULL,
  `clocked_in_geofence` text NOT NULL,
  `clocked_in_recorded_at` datetime NULL,
  `clocked_in_accuracy` real NULL,
  `clocked_in_mocked` bool NULL,
  `clocked_in_distance` integer NULL,
  `clocked_in_note` text NULL,
  `clocked_in_flags` text NULL,
  `clocked_in_device_id` integer NULL,
  `clocked_out_at` datetime NULL,
  `clocked_out_local` text NULL,
  `clocked_out_offset` integer NULL,
  `clocked_out_zone` text NULL,
  `clocked_out_received_at` datetime NULL,
  `clocked_out_latitude` real NULL,
  `clocked_out_longitude` real NULL,
  `clocked_out_source` text NULL,
  `clocked_out_geofence` text NULL,
  `clocked_out_recorded_at` datetime NULL,
  `clocked_out_accuracy` real NULL,
  `clocked_out_mocked` bool NULL,
  `clocked_out_distance` integer NULL,
  `clocked_out_note` text NULL,
  `clocked_out_flags` text NULL,
  `clocked_out_device_id` integer NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `employee_shift_id` integer NOT NULL,
  `address_id` integer NOT NULL,
  CONSTRAINT `attendances_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `attendances_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `attendances_employee_shifts_employee_shift` FOREIGN KEY (`employee_shift_id`) REFERENCES `employee_shifts` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `attendances_addresses_address` FOREIGN KEY (`address_id`) REFERENCES `addresses` (`id`) ON DELETE NO ACTION
);
-- create index "attendance_user_id_open_marker" to table: "attendances"
CREATE UNIQUE INDEX `attendance_user_id_open_marker` ON `attendances` (`user_id`, `open_marker`);
-- create index "attendance_user_id_employee_shift_id_clocked_in_recorded_at" to table: "attendances"
CREATE UNIQUE INDEX `attendance_user_id_employee_shift_id_clocked_in_recorded_at` ON `attendances` (`user_id`, `employee_shift_id`, `clocked_in_recorded_at`);
-- create index "attendance_company_id_user_id_work_date" to table: "attendances"
CREATE INDEX `attendance_company_id_user_id_work_date` ON `attendances` (`company_id`, `user_id`, `work_date`);
-- create index "attendance_company_id_clocked_in_at" to table: "attendances"
CREATE INDEX `attendance_company_id_clocked_in_at` ON `attendances` (`company_id`, `clocked_in_at`);
-- create "audit_events" table
CREATE TABLE `audit_events` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `action` text NOT NULL,
  `subject_type` text NOT NULL,
  `subject_id` integer NOT NULL,
  `at` datetime NOT NULL,
  `address` text NOT NULL,
  `request_id` text NOT NULL,
  `before` text NULL,
  `after` text NULL,
  `company_id` integer NOT NULL,
  `actor_id` integer NULL,
  CONSTRAINT `audit_events_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `audit_events_users_actor` FOREIGN KEY (`actor_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "auditevent_company_id_at" to table: "audit_events"
CREATE INDEX `auditevent_company_id_at` ON `audit_events` (`company_id`, `at`);
-- create index "auditevent_company_id_subject_type_subject_id" to table: "audit_events"
CREATE INDEX `auditevent_company_id_subject_type_subject_id` ON `audit_events` (`company_id`, `subject_type`, `subject_id`);
-- create "businesses" table
CREATE TABLE `businesses` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `company_id` integer NOT NULL,
  `parent_id` integer NULL,
  `manager_id` integer NULL,
  CONSTRAINT `businesses_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `businesses_businesses_children` FOREIGN KEY (`parent_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `businesses_users_manager` FOREIGN KEY (`manager_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "business_company_id_sort_name" to table: "businesses"
CREATE INDEX `business_company_id_sort_name` ON `businesses` (`company_id`, `sort_name`);
-- create "clock_states" table
CREATE TABLE `clock_states` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `events` integer NOT NULL DEFAULT (0),
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `clock_states_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `clock_states_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "clockstate_user_id" to table: "clock_states"
CREATE UNIQUE INDEX `clockstate_user_id` ON `clock_states` (`user_id`);
-- create "companies" table
CREATE TABLE `companies` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `logo` text NOT NULL DEFAULT ('images/avatar.png'),
  `timezone` text NOT NULL,
  `locale` text NOT NULL DEFAULT ('id'),
  `created_at` datetime NOT NULL
);
-- create "designations" table
CREATE TABLE `designations` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `designations_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "designation_company_id_sort_name" to table: "designations"
CREATE INDEX `designation_company_id_sort_name` ON `designations` (`company_id`, `sort_name`);
-- create "devices" table
CREATE TABLE `devices` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `device_id` text NOT NULL,
  `platform` text NOT NULL,
  `model` text NULL,
  `os_version` text NULL,
  `app_version` text NULL,
  `push_token` text NULL,
  `token_hash` blob NOT NULL,
  `next_token_hash` blob NULL,
  `created_at` datetime NOT NULL,
  `revoked_at` datetime NULL
);
-- create index "devices_token_hash_key" to table: "devices"
CREATE UNIQUE INDEX `devices_token_hash_key` ON `devices` (`token_hash`);
-- create index "devices_next_token_hash_key" to table: "devices"
CREATE UNIQUE INDEX `devices_next_token_hash_key` ON `devices` (`next_token_hash`);
-- create "device_trusts" table
CREATE TABLE `device_trusts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `trusted_at` datetime NOT NULL,
  `revoked_at` datetime NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `device_id` integer NOT NULL,
  CONSTRAINT `device_trusts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `device_trusts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `device_trusts_devices_device` FOREIGN KEY (`device_id`) REFERENCES `devices` (`id`) ON DELETE NO ACTION
);
-- create index "devicetrust_user_id_device_id" to table: "device_trusts"
CREATE UNIQUE INDEX `devicetrust_user_id_device_id` ON `device_trusts` (`user_id`, `device_id`);
-- create "employee_shifts" table
CREATE TABLE `employee_shifts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `shift_version` integer NOT NULL,
  `name` text NOT NULL,
  `date` text NOT NULL,
  `start_at` datetime NOT NULL,
  `end_at` datetime NOT NULL,
  `clock_in_from` datetime NOT NULL,
  `clock_in_until` datetime NOT NULL,
  `breaks` text NULL,
  `break_seconds` integer NOT NULL,
  `late_grace_minutes` integer NULL,
  `early_grace_minutes` integer NULL,
  `half_day_below_minutes` integer NOT NULL DEFAULT (0),
  `absent_below_minutes` integer NOT NULL DEFAULT (0),
  `working_hours` text NOT NULL DEFAULT ('first_last'),
  `timezone` text NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `assignment_id` integer NOT NULL,
  `shift_id` integer NOT NULL,
  CONSTRAINT `employee_shifts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `employee_shifts_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `employee_shifts_shift_assignments_assignment` FOREIGN KEY (`assignment_id`) REFERENCES `shift_assignments` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `employee_shifts_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION
);
-- create index "employeeshift_assignment_id_date" to table: "employee_shifts"
CREATE UNIQUE INDEX `employeeshift_assignment_id_date` ON `employee_shifts` (`assignment_id`, `date`);
-- create index "employeeshift_company_id_user_id_date" to table: "employee_shifts"
CREATE INDEX `employeeshift_company_id_user_id_date` ON `employee_shifts` (`company_id`, `user_id`, `date`);
-- create "face_templates" table
CREATE TABLE `face_templates` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `version` integer NOT NULL,
  `in_force` integer NULL DEFAULT (1),
  `provisional` bool NOT NULL DEFAULT (false),
  `points` integer NOT NULL,
  `sealed` text NOT NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `face_templates_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `face_templates_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "facetemplate_user_id_in_force" to table: "face_templates"
CREATE UNIQUE INDEX `facetemplate_user_id_in_force` ON `face_templates` (`user_id`, `in_force`);
-- create "former_passwords" table
CREATE TABLE `former_passwords` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `hash` text NOT NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `former_passwords_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `former_passwords_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "formerpassword_user_id_created_at" to table: "former_passwords"
CREATE INDEX `formerpassword_user_id_created_at` ON `former_passwords` (`user_id`, `created_at`);
-- create "idempotency_claims" table
CREATE TABLE `idempotency_claims` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `user_id` integer NOT NULL,
  `key` text NOT NULL,
  `fingerprint` blob NOT NULL,
  `holder` blob NOT NULL,
  `lease_until` datetime NOT NULL,
  `outcome` text NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `idempotency_claims_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "idempotencyclaim_user_id_key" to table: "idempotency_claims"
CREATE UNIQUE INDEX `idempotencyclaim_user_id_key` ON `idempotency_claims` (`user_id`, `key`);
-- create index "idempotencyclaim_created_at" to table: "idempotency_claims"
CREATE INDEX `idempotencyclaim_created_at` ON `idempotency_claims` (`created_at`);
-- create "login_throttles" table
CREATE TABLE `login_throttles` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `key` blob NOT NULL,
  `failures` integer NOT NULL DEFAULT (0),
  `blocked_until` datetime NOT NULL,
  `updated_at` datetime NOT NULL
);
-- create index "login_throttles_key_key" to table: "login_throttles"
CREATE UNIQUE INDEX `login_throttles_key_key` ON `login_throttles` (`key`);
-- create index "loginthrottle_updated_at" to table: "login_throttles"
CREATE INDEX `loginthrottle_updated_at` ON `login_throttles` (`updated_at`);
-- create "messages" table
CREATE TABLE `messages` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `kind` text NOT NULL,
  `channel` text NOT NULL,
  `destination` text NOT NULL,
  `sealed_text` text NULL,
  `status` text NOT NULL DEFAULT ('queued'),
  `attempts` integer NOT NULL DEFAULT (0),
  `failures` integer NOT NULL DEFAULT (0),
  `failed_at` datetime NULL,
  `created_at` datetime NOT NULL,
  `due_at` datetime NULL,
  `expires_at` datetime NOT NULL,
  `sent_at` datetime NULL,
  `error` text NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  CONSTRAINT `messages_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `messages_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION
);
-- create index "message_status_due_at" to table: "messages"
CREATE INDEX `message_status_due_at` ON `messages` (`status`, `due_at`);
-- create "one_time_codes" table
CREATE TABLE `one_time_codes` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `purpose` text NOT NULL,
  `account` blob NOT NULL,
  `user_id` integer NULL,
  `device_id` integer NOT NULL,
  `request_id` text NULL,
  `digest` blob NOT NULL,
  `attempts` integer NOT NULL DEFAULT (0),
  `created_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `used_at` datetime NULL,
  `live` integer NULL DEFAULT (1),
  `voided_at` datetime NULL
);
-- create index "one_time_codes_request_id_key" to table: "one_time_codes"
CREATE UNIQUE INDEX `one_time_codes_request_id_key` ON `one_time_codes` (`request_id`);
-- create index "onetimecode_account_purpose_device_id_live" to table: "one_time_codes"
CREATE UNIQUE INDEX `onetimecode_account_purpose_device_id_live` ON `one_time_codes` (`account`, `purpose`, `device_id`, `live`);
-- create index "onetimecode_account_created_at" to table: "one_time_codes"
CREATE INDEX `onetimecode_account_created_at` ON `one_time_codes` (`account`, `created_at`);
-- create index "onetimecode_user_id_purpose_device_id" to table: "one_time_codes"
CREATE INDEX `onetimecode_user_id_purpose_device_id` ON `one_time_codes` (`user_id`, `purpose`, `device_id`);
-- create index "onetimecode_expires_at" to table: "one_time_codes"
CREATE INDEX `onetimecode_expires_at` ON `one_time_codes` (`expires_at`);
-- create "password_keys" table
CREATE TABLE `password_keys` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `kid` text NOT NULL,
  `sealed_private` text NOT NULL,
  `current` integer NULL,
  `created_at` datetime NOT NULL,
  `accepted_until` datetime NULL
);
-- create index "password_keys_kid_key" to table: "password_keys"
CREATE UNIQUE INDEX `password_keys_kid_key` ON `password_keys` (`kid`);
-- create index "password_keys_current_key" to table: "password_keys"
CREATE UNIQUE INDEX `password_keys_current_key` ON `password_keys` (`current`);
-- create "rate_windows" table
CREATE TABLE `rate_windows` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `key` blob NOT NULL,
  `starts_at` datetime NOT NULL,
  `count` integer NOT NULL DEFAULT (0)
);
-- create index "ratewindow_key_starts_at" to table: "rate_windows"
CREATE UNIQUE INDEX `ratewindow_key_starts_at` ON `rate_windows` (`key`, `starts_at`);
-- create index "ratewindow_starts_at" to table: "rate_windows"
CREATE INDEX `ratewindow_starts_at` ON `rate_windows` (`starts_at`);
-- create "request_records" table
CREATE TABLE `request_records` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `user_id` integer NOT NULL,
  `device_id` integer NOT NULL,
  `request_id` text NOT NULL,
  `fingerprint` blob NOT NULL,
  `outcome` text NOT NULL DEFAULT (''),
  `attendance_id` integer NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `request_records_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "requestrecord_user_id_request_id_fingerprint" to table: "request_records"
CREATE UNIQUE INDEX `requestrecord_user_id_request_id_fingerprint` ON `request_records` (`user_id`, `request_id`, `fingerprint`);
-- create index "requestrecord_device_id_request_id" to table: "request_records"
CREATE INDEX `requestrecord_device_id_request_id` ON `request_records` (`device_id`, `request_id`);
-- create index "requestrecord_created_at" to table: "request_records"
CREATE INDEX `requestrecord_created_at` ON `request_records` (`created_at`);
-- create "roles" table
CREATE TABLE `roles` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `builtin` text NULL,
  `custom_permissions` text NULL,
  `company_id` integer NOT NULL,
  CONSTRAINT `roles_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "role_company_id_sort_name" to table: "roles"
CREATE UNIQUE INDEX `role_company_id_sort_name` ON `roles` (`company_id`, `sort_name`);
-- create "sessions" table
CREATE TABLE `sessions` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `family` blob NOT NULL,
  `generation` integer NOT NULL DEFAULT (0),
  `created_at` datetime NOT NULL,
  `verified_at` datetime NULL,
  `ends_at` datetime NULL,
  `revoked_at` datetime NULL,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `device_id` integer NOT NULL,
  CONSTRAINT `sessions_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `sessions_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `sessions_devices_device` FOREIGN KEY (`device_id`) REFERENCES `devices` (`id`) ON DELETE NO ACTION
);
-- create index "sessions_family_key" to table: "sessions"
CREATE UNIQUE INDEX `sessions_family_key` ON `sessions` (`family`);
-- create index "session_user_id_revoked_at" to table: "sessions"
CREATE INDEX `session_user_id_revoked_at` ON `sessions` (`user_id`, `revoked_at`);
-- create index "session_device_id" to table: "sessions"
CREATE INDEX `session_device_id` ON `sessions` (`device_id`);
-- create "settings" table
CREATE TABLE `settings` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `value` text NOT NULL
);
-- create index "settings_name_key" to table: "settings"
CREATE UNIQUE INDEX `settings_name_key` ON `settings` (`name`);
-- create "shifts" table
CREATE TABLE `shifts` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `start_time` text NOT NULL,
  `end_time` text NOT NULL,
  `timezone` text NULL,
  `opens_before_minutes` integer NOT NULL DEFAULT (60),
  `closes_after_minutes` integer NOT NULL DEFAULT (60),
  `late_grace_minutes` integer NULL,
  `early_grace_minutes` integer NULL,
  `half_day_below_minutes` integer NOT NULL DEFAULT (0),
  `absent_below_minutes` integer NOT NULL DEFAULT (0),
  `breaks` text NULL,
  `working_hours` text NOT NULL DEFAULT ('first_last'),
  `version` integer NOT NULL DEFAULT (1),
  `company_id` integer NOT NULL,
  CONSTRAINT `shifts_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION
);
-- create index "shift_company_id_sort_name" to table: "shifts"
CREATE INDEX `shift_company_id_sort_name` ON `shifts` (`company_id`, `sort_name`);
-- create "shift_assignments" table
CREATE TABLE `shift_assignments` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `starts_on` text NOT NULL,
  `ends_on` text NULL,
  `weekdays` text NOT NULL,
  `every_weeks` integer NOT NULL DEFAULT (1),
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `shift_id` integer NOT NULL,
  CONSTRAINT `shift_assignments_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_assignments_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `shift_assignments_shifts_shift` FOREIGN KEY (`shift_id`) REFERENCES `shifts` (`id`) ON DELETE NO ACTION
);
-- create index "shiftassignment_company_id_user_id_starts_on" to table: "shift_assignments"
CREATE INDEX `shiftassignment_company_id_user_id_starts_on` ON `shift_assignments` (`company_id`, `user_id`, `starts_on`);
-- create "tokens" table
CREATE TABLE `tokens` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `kind` text NOT NULL,
  `hash` blob NOT NULL,
  `generation` integer NOT NULL,
  `issued_at` datetime NOT NULL,
  `expires_at` datetime NOT NULL,
  `spent_at` datetime NULL,
  `revoked_at` datetime NULL,
  `company_id` integer NOT NULL,
  `session_id` integer NOT NULL,
  CONSTRAINT `tokens_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `tokens_sessions_session` FOREIGN KEY (`session_id`) REFERENCES `sessions` (`id`) ON DELETE NO ACTION
);
-- create index "tokens_hash_key" to table: "tokens"
CREATE UNIQUE INDEX `tokens_hash_key` ON `tokens` (`hash`);
-- create index "token_session_id_kind_generation" to table: "tokens"
CREATE INDEX `token_session_id_kind_generation` ON `tokens` (`session_id`, `kind`, `generation`);
-- create index "token_expires_at" to table: "tokens"
CREATE INDEX `token_expires_at` ON `tokens` (`expires_at`);
-- create "users" table
CREATE TABLE `users` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `sort_name` text NOT NULL,
  `email` text NOT NULL,
  `email_key` text NOT NULL,
  `image` text NOT NULL DEFAULT ('images/avatar.png'),
  `mobile_number` text NOT NULL,
  `phone` text NULL,
  `gender` text NULL,
  `salutation` text NULL,
  `locale` text NOT NULL DEFAULT ('id'),
  `password_hash` text NULL,
  `active` bool NOT NULL DEFAULT (true),
  `message_channel` text NULL,
  `stopped_whatsapp` text NULL,
  `stopped_sms` text NULL,
  `stopped_email` text NULL,
  `joined_on` text NULL,
  `left_on` text NULL,
  `created_at` datetime NOT NULL,
  `company_id` integer NOT NULL,
  `business_id` integer NULL,
  CONSTRAINT `users_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `users_businesses_business` FOREIGN KEY (`business_id`) REFERENCES `businesses` (`id`) ON DELETE NO ACTION
);
-- create index "users_email_key_key" to table: "users"
CREATE UNIQUE INDEX `users_email_key_key` ON `users` (`email_key`);
-- create index "users_phone_key" to table: "users"
CREATE UNIQUE INDEX `users_phone_key` ON `users` (`phone`);
-- create index "user_company_id_active_sort_name" to table: "users"
CREATE INDEX `user_company_id_active_sort_name` ON `users` (`company_id`, `active`, `sort_name`);
-- create index "user_company_id_business_id" to table: "users"
CREATE INDEX `user_company_id_business_id` ON `users` (`company_id`, `business_id`);
-- create "user_designations" table
CREATE TABLE `user_designations` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `designation_id` integer NOT NULL,
  CONSTRAINT `user_designations_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `user_designations_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `user_designations_designations_designation` FOREIGN KEY (`designation_id`) REFERENCES `designations` (`id`) ON DELETE NO ACTION
);
-- create index "userdesignation_user_id_designation_id" to table: "user_designations"
CREATE UNIQUE INDEX `userdesignation_user_id_designation_id` ON `user_designations` (`user_id`, `designation_id`);
-- create index "userdesignation_company_id_user_id_designation_id" to table: "user_designations"
CREATE INDEX `userdesignation_company_id_user_id_designation_id` ON `user_designations` (`company_id`, `user_id`, `designation_id`);
-- create "user_roles" table
CREATE TABLE `user_roles` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `company_id` integer NOT NULL,
  `user_id` integer NOT NULL,
  `role_id` integer NOT NULL,
  CONSTRAINT `user_roles_companies_company` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `user_roles_users_user` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE NO ACTION,
  CONSTRAINT `user_roles_roles_role` FOREIGN KEY (`role_id`) REFERENCES `roles` (`id`) ON DELETE NO ACTION
);
-- create index "userrole_user_id_role_id" to table: "user_roles"
CREATE UNIQUE INDEX `userrole_user_id_role_id` ON `user_roles` (`user_id`, `role_id`);

-- +goose Down
-- reverse: create index "userrole_user_id_role_id" to table: "user_roles"
DROP INDEX `userrole_user_id_role_id`;
-- reverse: create "user_roles" table
DROP TABLE `user_roles`;
-- reverse: create index "userdesignation_company_id_user_id_designation_id" to table: "user_designations"
DROP INDEX `userdesignation_company_id_user_id_designation_id`;
-- reverse: create index "userdesignation_user_id_designation_id" to table: "user_designations"
DROP INDEX `userdesignation_user_id_designation_id`;
-- reverse: create "user_designations" table
DROP TABLE `user_designations`;
-- reverse: create index "user_company_id_business_id" to table: "users"
DROP INDEX `user_company_id_business_id`;
-- reverse: create index "user_company_id_active_sort_name" to table: "users"
DROP INDEX `user_company_id_active_sort_name`;
-- reverse: create index "users_phone_key" to table: "users"
DROP INDEX `users_phone_key`;
-- reverse: create index "users_email_key_key" to table: "users"
DROP INDEX `users_email_key_key`;
-- reverse: create "users" table
DROP TABLE `users`;
-- reverse: create index "token_expires_at" to table: "tokens"
DROP INDEX `token_expires_at`;
-- reverse: create index "token_session_id_kind_generation" to table: "tokens"
DROP INDEX `token_session_id_kind_generation`;
-- reverse: create index "tokens_hash_key" to table: "tokens"
DROP INDEX `tokens_hash_key`;
-- reverse: create "tokens" table
DROP TABLE `tokens`;
-- reverse: create index "shiftassignment_company_id_user_id_starts_on" to table: "shift_assignments"
DROP INDEX `shiftassignment_company_id_user_id_starts_on`;
-- reverse: create "shift_assignments" table
DROP TABLE `shift_assignments`;
-- reverse: create index "shift_company_id_sort_name" to table: "shifts"
DROP INDEX `shift_company_id_sort_name`;
-- reverse: create "shifts" table
DROP TABLE `shifts`;
-- reverse: create index "settings_name_key" to table: "settings"
DROP INDEX `settings_name_key`;
-- reverse: create "settings" table
DROP TABLE `settings`;
-- reverse: create index "session_device_id" to table: "sessions"
DROP INDEX `session_device_id`;
-- reverse: create index "session_user_id_revoked_at" to table: "sessions"
DROP INDEX `session_user_id_revoked_at`;
-- reverse: create index "sessions_family_key" to table: "sessions"
DROP INDEX `sessions_family_key`;
-- reverse: create "sessions" table
DROP TABLE `sessions`;
-- reverse: create index "role_company_id_sort_name" to table: "roles"
DROP INDEX `role_company_id_sort_name`;
-- reverse: create "roles" table
DROP TABLE `roles`;
-- reverse: create index "requestrecord_created_at" to table: "request_records"
DROP INDEX `requestrecord_created_at`;
-- reverse: create index "requestrecord_device_id_request_id" to table: "request_records"
DROP INDEX `requestrecord_device_id_request_id`;
-- reverse: create index "requestrecord_user_id_request_id_fingerprint" to table: "request_records"
DROP INDEX `requestrecord_user_id_request_id_fingerprint`;
-- reverse: create "request_records" table
DROP TABLE `request_records`;
-- reverse: create index "ratewindow_starts_at" to table: "rate_windows"
DROP INDEX `ratewindow_starts_at`;
-- reverse: create index "ratewindow_key_starts_at" to table: "rate_windows"
DROP INDEX `ratewindow_key_starts_at`;
-- reverse: create "rate_windows" table
DROP TABLE `rate_windows`;
-- reverse: create index "password_keys_current_key" to table: "password_keys"
DROP INDEX `password_keys_current_key`;
-- reverse: create index "password_keys_kid_key" to table: "password_keys"
DROP INDEX `password_keys_kid_key`;
-- reverse: create "password_keys" table
DROP TABLE `password_keys`;
-- reverse: create index "onetimecode_expires_at" to table: "one_time_codes"
DROP INDEX `onetimecode_expires_at`;
-- reverse: create index "onetimecode_user_id_purpose_device_id" to table: "one_time_codes"
DROP INDEX `onetimecode_user_id_purpose_device_id`;
-- reverse: create index "onetimecode_account_created_at" to table: "one_time_codes"
DROP INDEX `onetimecode_account_created_at`;
-- reverse: create index "onetimecode_account_purpose_device_id_live" to table: "one_time_codes"
DROP INDEX `onetimecode_account_purpose_device_id_live`;
-- reverse: create index "one_time_codes_request_id_key" to table: "one_time_codes"
DROP INDEX `one_time_codes_request_id_key`;
-- reverse: create "one_time_codes" table
DROP TABLE `one_time_codes`;
-- reverse: create index "message_status_due_at" to table: "messages"
DROP INDEX `message_status_due_at`;
-- reverse: create "messages" table
DROP TABLE `messages`;
-- reverse: create index "loginthrottle_updated_at" to table: "login_throttles"
DROP INDEX `loginthrottle_updated_at`;
-- reverse: create index "login_throttles_key_key" to table: "login_throttles"
DROP INDEX `login_throttles_key_key`;
-- reverse: create "login_throttles" table
DROP TABLE `login_throttles`;
-- reverse: create index "idempotencyclaim_created_at" to table: "idempotency_claims"
DROP INDEX `idempotencyclaim_created_at`;
-- reverse: create index "idempotencyclaim_user_id_key" to table: "idempotency_claims"
DROP INDEX `idempotencyclaim_user_id_key`;
-- reverse: create "idempotency_claims" table
DROP TABLE `idempotency_claims`;
-- reverse: create index "formerpassword_user_id_created_at" to table: "former_passwords"
DROP INDEX `formerpassword_user_id_created_at`;
-- reverse: create "former_passwords" table
DROP TABLE `former_passwords`;
-- reverse: create index "facetemplate_user_id_in_force" to table: "face_templates"
DROP INDEX `facetemplate_user_id_in_force`;
-- reverse: create "face_templates" table
DROP TABLE `face_templates`;
-- reverse: create index "employeeshift_company_id_user_id_date" to table: "employee_shifts"
DROP INDEX `employeeshift_company_id_user_id_date`;
-- reverse: create index "employeeshift_assignment_id_date" to table: "employee_shifts"
DROP INDEX `employeeshift_assignment_id_date`;
-- reverse: create "employee_shifts" table
DROP TABLE `employee_shifts`;
-- reverse: create index "devicetrust_user_id_device_id" to table: "device_trusts"
DROP INDEX `devicetrust_user_id_device_id`;
-- reverse: create "device_trusts" table
DROP TABLE `device_trusts`;
-- reverse: create index "devices_next_token_hash_key" to table: "devices"
DROP INDEX `devices_next_token_hash_key`;
-- reverse: create index "devices_token_hash_key" to table: "devices"
DROP INDEX `devices_token_hash_key`;
-- reverse: create "devices" table
DROP TABLE `devices`;
-- reverse: create index "designation_company_id_sort_name" to table: "designations"
DROP INDEX `designation_company_id_sort_name`;
-- reverse: create "designations" table
DROP TABLE `designations`;
-- reverse: create "companies" table
DROP TABLE `companies`;
-- reverse: create index "clockstate_user_id" to table: "clock_states"
DROP INDEX `clockstate_user_id`;
-- reverse: create "clock_states" table
DROP TABLE `clock_states`;
-- reverse: create index "business_company_id_sort_name" to table: "businesses"
DROP INDEX `business_company_id_sort_name`;
-- reverse: create "businesses" table
DROP TABLE `businesses`;
-- reverse: create index "auditevent_company_id_subject_type_subject_id" to table: "audit_events"
DROP INDEX `auditevent_company_id_subject_type_subject_id`;
-- reverse: create index "auditevent_company_id_at" to table: "audit_events"
DROP INDEX `auditevent_company_id_at`;
-- reverse: create "audit_events" table
DROP TABLE `audit_events`;
-- reverse: create index "attendance_company_id_clocked_in_at" to table: "attendances"
DROP INDEX `attendance_company_id_clocked_in_at`;
-- reverse: create index "attendance_company_id_user_id_work_date" to table: "attendances"
DROP INDEX `attendance_company_id_user_id_work_date`;
-- reverse: create index "attendance_user_id_employee_shift_id_clocked_in_recorded_at" to table: "attendances"
DROP INDEX `attendance_user_id_employee_shift_id_clocked_in_recorded_at`;
-- reverse: create index "attendance_user_id_open_marker" to table: "attendances"
DROP INDEX `attendance_user_id_open_marker`;
-- reverse: create "attendances" table
DROP TABLE `attendances`;
-- reverse: create index "address_company_id_sort_name" to table: "addresses"
DROP INDEX `address_company_id_sort_name`;
-- reverse: create "addresses" table
DROP TABLE `addresses`;
