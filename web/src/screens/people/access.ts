import type { NodeOf } from "../../parts/nodes.js";
import type { PersonDevicesQuery, PersonSessionsQuery } from "./person.graphql.js";

type SessionNode = NodeOf<PersonSessionsQuery["sessions"]>;
type DeviceNode = PersonDevicesQuery["trustedDevices"][number];

/** A device that a person trusts. */
export interface Device {
  readonly id: string;
  readonly platform: DeviceNode["platform"];
  /** As the person or the maker calls it; "" where nobody does. */
  readonly model: string;
  readonly trustedAt: string;
}

/** A session of a person that has not ended. */
export interface Session extends Omit<Device, "trustedAt"> {
  readonly createdAt: string;
  readonly endsAt: string | null;
}

/** What lets a person in. */
export interface Access {
  /** Whether they ever signed in. */
  readonly known: boolean;
  readonly devices: readonly Device[];
  readonly sessions: readonly Session[];
}

/** Devices as a person calls them who trusts them. */
export function devicesOf(devices: readonly DeviceNode[], person: string): Device[] {
  return devices.flatMap(({ id, platform, model, trusts }) => {
    const trust = trusts.find((t) => t.user.id === person && !t.revokedAt);
    return trust ? [{ id, platform, model: trust.name ?? model ?? "", trustedAt: trust.trustedAt }] : [];
  });
}

/** Sessions, the newest first. */
export function sessionsOf(sessions: readonly SessionNode[]): Session[] {
  return sessions
    .map((s) => ({
      id: s.id,
      platform: s.device.platform,
      model: s.device.model ?? "",
      createdAt: s.createdAt,
      endsAt: s.endsAt ?? null,
    }))
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}
