import type { NodeOf } from "../../parts/nodes.js";
import type { PersonSessionsQuery } from "./person.graphql.js";

type Node = NodeOf<PersonSessionsQuery["sessions"]>;

/** A device that a person trusts. */
export interface Device {
  readonly id: string;
  readonly platform: Node["device"]["platform"];
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

/** The devices that a person trusts, of those on which they signed in. */
export function devicesOf(sessions: readonly Node[], person: string): Device[] {
  const devices = new Map<string, Device>();
  for (const { device } of sessions) {
    const trust = device.trusts.find((t) => t.user.id === person && !t.revokedAt);
    if (!trust || device.revokedAt) continue;
    const { id, platform, model } = device;
    devices.set(id, { id, platform, model: trust.name ?? model ?? "", trustedAt: trust.trustedAt });
  }
  return [...devices.values()];
}

/** The sessions that go on at an instant, the newest first. */
export function sessionsOf(sessions: readonly Node[], now: string): Session[] {
  return sessions
    .filter((s) => !s.revokedAt && (!s.endsAt || Date.parse(s.endsAt) > Date.parse(now)))
    .map((s) => ({
      id: s.id,
      platform: s.device.platform,
      model: s.device.model ?? "",
      createdAt: s.createdAt,
      endsAt: s.endsAt ?? null,
    }))
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}
