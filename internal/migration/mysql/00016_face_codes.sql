-- +goose Up
-- modify "one_time_codes" table
ALTER TABLE `one_time_codes` MODIFY COLUMN `purpose` enum('login','reset','first','face') NOT NULL;

-- +goose Down
-- reverse: modify "one_time_codes" table
ALTER TABLE `one_time_codes` MODIFY COLUMN `purpose` enum('login','reset','first') NOT NULL;
