-- +goose Up
-- create "object_holds" table
CREATE TABLE `object_holds` (
  `id` integer NOT NULL PRIMARY KEY AUTOINCREMENT,
  `holder` text NOT NULL,
  `lease_until` datetime NOT NULL
);
-- create index "object_holds_holder_key" to table: "object_holds"
CREATE UNIQUE INDEX `object_holds_holder_key` ON `object_holds` (`holder`);
-- create index "objecthold_lease_until" to table: "object_holds"
CREATE INDEX `objecthold_lease_until` ON `object_holds` (`lease_until`);

-- +goose Down
-- reverse: create index "objecthold_lease_until" to table: "object_holds"
DROP INDEX `objecthold_lease_until`;
-- reverse: create index "object_holds_holder_key" to table: "object_holds"
DROP INDEX `object_holds_holder_key`;
-- reverse: create "object_holds" table
DROP TABLE `object_holds`;
