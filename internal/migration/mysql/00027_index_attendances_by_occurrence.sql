-- +goose Up
-- modify "attendances" table
ALTER TABLE `attendances` DROP INDEX `attendance_user_id_employee_shift_id_clocked_in_recorded_at`, ADD UNIQUE INDEX `attendance_employee_shift_id_user_id_clocked_in_recorded_at` (`employee_shift_id`, `user_id`, `clocked_in_recorded_at`);
-- modify "corrections" table
ALTER TABLE `corrections` ADD INDEX `correction_employee_shift_id` (`employee_shift_id`);

-- +goose Down
-- reverse: modify "corrections" table
ALTER TABLE `corrections` DROP INDEX `correction_employee_shift_id`, ADD INDEX `corrections_employee_shifts_employee_shift` (`employee_shift_id`);
-- reverse: modify "attendances" table
ALTER TABLE `attendances` DROP INDEX `attendance_employee_shift_id_user_id_clocked_in_recorded_at`, ADD UNIQUE INDEX `attendance_user_id_employee_shift_id_clocked_in_recorded_at` (`user_id`, `employee_shift_id`, `clocked_in_recorded_at`), ADD INDEX `attendances_employee_shifts_employee_shift` (`employee_shift_id`);
