-- +goose Up
-- create "instances" table
CREATE TABLE `instances` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `name` text NOT NULL,
  `writes` text NOT NULL,
  `opens` text NOT NULL,
  `lease_until` datetime NOT NULL
);
-- create index "instances_name_key" to table: "instances"
CREATE UNIQUE INDEX `instances_name_key` ON `instances` (`name`);
-- create index "instance_lease_until" to table: "instances"
CREATE INDEX `instance_lease_until` ON `instances` (`lease_until`);

-- +goose Down
-- reverse: create index "instance_lease_until" to table: "instances"
DROP INDEX `instance_lease_until`;
-- reverse: create index "instances_name_key" to table: "instances"
DROP INDEX `instances_name_key`;
-- reverse: create "instances" table
DROP TABLE `instances`;
