-- +goose Up
-- drop index "attendance_user_id_employee_shift_id_clocked_in_recorded_at" from table: "attendances"
DROP INDEX `attendance_user_id_employee_shift_id_clocked_in_recorded_at`;
-- create index "attendance_employee_shift_id_user_id_clocked_in_recorded_at" to table: "attendances"
CREATE UNIQUE INDEX `attendance_employee_shift_id_user_id_clocked_in_recorded_at` ON `attendances` (`employee_shift_id`, `user_id`, `clocked_in_recorded_at`);
-- create index "correction_employee_shift_id" to table: "corrections"
CREATE INDEX `correction_employee_shift_id` ON `corrections` (`employee_shift_id`);

-- +goose Down
-- reverse: create index "correction_employee_shift_id" to table: "corrections"
DROP INDEX `correction_employee_shift_id`;
-- reverse: create index "attendance_employee_shift_id_user_id_clocked_in_recorded_at" to table: "attendances"
DROP INDEX `attendance_employee_shift_id_user_id_clocked_in_recorded_at`;
-- reverse: drop index "attendance_user_id_employee_shift_id_clocked_in_recorded_at" from table: "attendances"
CREATE UNIQUE INDEX `attendance_user_id_employee_shift_id_clocked_in_recorded_at` ON `attendances` (`user_id`, `employee_shift_id`, `clocked_in_recorded_at`);
