import Foundation

/// What the client keeps and finds again after a restart: tokens in the Keychain, the rest in files.
public protocol Store: Sendable {
    func get(_ name: String) -> Data?

    /// It is on the disk when this returns. Nil removes it.
    func set(_ name: String, _ data: Data?) throws

    func names() -> [String]
}

/// What somebody does at a clock: position in degrees, accuracy in metres.
public struct ClockEvent: Sendable {
    public enum Kind: String, Codable, Sendable { case clockIn, clockOut }

    public var kind: Kind
    public var employeeShiftId: String
    public var addressId: String
    public var latitude: String
    public var longitude: String
    public var accuracy: Double?
    public var note: String?

    public init(
        kind: Kind, employeeShiftId: String, addressId: String, latitude: String, longitude: String,
        accuracy: Double? = nil, note: String? = nil
    ) {
        self.kind = kind
        self.employeeShiftId = employeeShiftId
        self.addressId = addressId
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
        self.note = note
    }
}

/// A clock event that the server has not taken.
public struct Waiting: Codable, Sendable {
    public struct Refusal: Codable, Sendable {
        public let code: String
        public let detail: String
    }

    /// Its Idempotency-Key.
    public let id: String
    public let userId: String
    public let kind: ClockEvent.Kind
    public let recordedAt: String
    /// The request, the same with each sending.
    public let body: Data
    /// Why the server refused it, until the person has seen that.
    public var refused: Refusal?
}

/// An answer that is no success. Without a code it does not come from the server: there was none, or a proxy's.
public struct ApiError: Error, Sendable {
    public let status: Int
    public let code: String
    public let detail: String
    /// In seconds; 0 where the server does not say.
    public var retryAfter: Double = 0
    /// The kind of token that is to blame, of UNAUTHENTICATED.
    public var token: String?

    /// Whether the same request may succeed later.
    public var passes: Bool { code.isEmpty || status == 429 || status >= 500 || code == "IDEMPOTENCY_IN_PROGRESS" }

    /// Whether a clock event is refused for good.
    public var refuses: Bool { !passes && [404, 409, 422].contains(status) }

    static func noAnswer(_ why: String) -> ApiError { ApiError(status: 0, code: "", detail: why) }
}

/// The person has to sign in again. What waits is kept for them.
public struct SignInNeeded: Error {}

/// The client of a phone, one for the whole app.
public actor Workforce {
    private struct Login: Decodable { let userToken: String, verified: Bool }
    private struct Verified: Decodable { let verified: Bool }
    private struct Registered: Decodable { let deviceToken: String }
    private struct LoggedOut: Decodable { let loggedOut: Bool }
    private struct Pair: Decodable { let accessToken: String, refreshToken: String }
    private struct TokenInfo: Decodable { let userId: String }
    private struct Taken: Decodable { let clockedIn: Bool?, clockedOut: Bool? }
    private struct Problem: Decodable {
        struct Meta: Decodable { let token: String? }
        let code: String?, detail: String?, meta: Meta?
    }
    private struct Session: Codable { var userId = "", accessToken: String?, refreshToken: String? }
    private struct Body: Encodable {
        let employeeShiftId, addressId, latitude, longitude: String
        let accuracy: Double?
        let note: String?
        let recordedAt: String
    }

    private let server: String
    private let store: any Store
    private let appVersion: String
    private let language: String
    private let network: URLSession
    private var userToken = ""
    private var refreshing: Task<Void, Error>?
    private var sending: Task<Void, Error>?

    /// The address of the server, as in https://api.contoh.id; the language is id or en.
    public init(server: String, store: any Store, appVersion: String, language: String) {
        self.server = server
        self.store = store
        self.appVersion = appVersion
        self.language = language
        let settings = URLSessionConfiguration.ephemeral
        settings.timeoutIntervalForResource = 15 // seconds: a refresh must fit twice into a minute
        network = URLSession(configuration: settings)
    }

    // MARK: Signing in

    /// Signs in; true, or false where a code was sent that verify takes.
    public func signIn(username: String, password: String) async throws -> Bool {
        let body = try JSONEncoder().encode(["username": username, "password": password])
        let answer: Login
        do {
            answer = try await request("POST", "/user/login", ["X-Device-Token": try await device()], body)
        } catch let error as ApiError where error.token == "device" {
            try store.set("wf-device", nil) // revoked: the phone is another one from now on
            answer = try await request("POST", "/user/login", ["X-Device-Token": try await device()], body)
        }
        userToken = answer.userToken
        if answer.verified { try await begin() }
        return answer.verified
    }

    /// Completes a sign-in with the code that was sent.
    public func verify(code: String) async throws {
        let tokens = ["X-Device-Token": try await device(), "x-User-Token": userToken]
        let body = try JSONEncoder().encode(["otp": code])
        let _: Verified = try await request("POST", "/authorize/verify", tokens, body)
        try await begin()
    }

    /// Ends the session. What waits is kept, and sent when the same person signs in again.
    public func signOut() async throws {
        let _: LoggedOut = try await call("POST", "/user/logout")
        try end()
    }

    private func device() async throws -> String {
        if let known = store.get("wf-device") { return String(decoding: known, as: UTF8.self) }
        let body = try JSONEncoder().encode(["deviceId": UUID().uuidString, "platform": "ios"])
        let answer: Registered = try await request("POST", "/device/register", [:], body)
        try store.set("wf-device", Data(answer.deviceToken.utf8))
        return answer.deviceToken
    }

    /// Gets the first tokens; asking for them again is safe.
    private func begin() async throws {
        try await retry(5) {
            let pair: Pair = try await self.request("GET", "/authorize/access-token", ["x-User-Token": self.userToken])
            let bearer = ["Authorization": "Bearer \(pair.accessToken)"]
            let info: TokenInfo = try await self.request("GET", "/user/token-info", bearer)
            try self.keep(pair, of: info.userId)
        }
    }

    private func keep(_ pair: Pair, of userId: String) throws {
        let session = Session(userId: userId, accessToken: pair.accessToken, refreshToken: pair.refreshToken)
        try store.set("wf-session", try JSONEncoder().encode(session))
    }

    /// Forgets the tokens, and not who it was.
    private func end() throws {
        try store.set("wf-session", try JSONEncoder().encode(Session(userId: kept().userId)))
    }

    // MARK: Requests

    /// Sends a request in the session. One with a key is done once, however often it is sent.
    public func call<Answer: Decodable>(
        _ method: String, _ path: String, body: Data? = nil, key: String? = nil
    ) async throws -> Answer {
        let who = kept().userId
        var first = true
        while true {
            let session = kept()
            // Signed out, or somebody else signed in meanwhile.
            guard let token = session.accessToken, session.userId == who else { throw SignInNeeded() }
            var headers = ["Authorization": "Bearer \(token)"]
            headers["Idempotency-Key"] = key
            do {
                return try await request(method, path, headers, body)
            } catch let error as ApiError where first && error.code == "UNAUTHENTICATED" {
                first = false
                try await refresh(token)
            }
        }
    }

    private func kept() -> Session {
        store.get("wf-session").flatMap { try? JSONDecoder().decode(Session.self, from: $0) } ?? Session()
    }

    /// Replaces the tokens, once for all calls that wait for it.
    private func refresh(_ refused: String) async throws {
        if let running = refreshing { return try await running.value }
        let task = Task { try await self.retry(5) { try await self.replace(refused) } }
        refreshing = task
        defer { refreshing = nil }
        try await task.value
    }

    /// Within a minute the server gives the same tokens again: that covers an answer that was lost.
    private func replace(_ refused: String) async throws {
        let session = kept()
        guard session.accessToken == refused, let spent = session.refreshToken else { return }
        do {
            let pair: Pair = try await request("GET", "/authorize/refresh-token", ["x-Refresh-Token": spent])
            if kept().accessToken == refused { try keep(pair, of: session.userId) }
        } catch let error as ApiError where error.code == "UNAUTHENTICATED" {
            if kept().accessToken != refused { return }
            try end()
            throw SignInNeeded()
        }
    }

    /// Sends one request, and waits for its answer.
    private func request<Answer: Decodable>(
        _ method: String, _ path: String, _ tokens: [String: String], _ body: Data? = nil
    ) async throws -> Answer {
        guard let url = URL(string: server + path) else { throw URLError(.badURL) }
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.httpBody = body
        let common = ["Content-Type": "application/json", "X-App-Version": appVersion, "X-Language": language]
        for (name, value) in common.merging(tokens, uniquingKeysWith: { $1 }) {
            request.setValue(value, forHTTPHeaderField: name)
        }
        let (data, response) = try await load(request)
        do {
            if (200..<300).contains(response.statusCode) {
                let answer = try JSONDecoder().decode(Answer.self, from: data)
                try hear(response.value(forHTTPHeaderField: "Date"))
                return answer
            }
            let problem = try JSONDecoder().decode(Problem.self, from: data)
            let after = Double(response.value(forHTTPHeaderField: "Retry-After") ?? "") ?? 0
            throw ApiError(
                status: response.statusCode, code: problem.code ?? "", detail: problem.detail ?? "", retryAfter: after,
                token: problem.meta?.token)
        } catch let error as DecodingError {
            throw ApiError.noAnswer("\(error)")
        }
    }

    private func load(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        do {
            let (data, response) = try await network.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw ApiError.noAnswer("no HTTP") }
            return (data, response)
        } catch let error as URLError where error.code != .cancelled {
            throw ApiError.noAnswer(error.localizedDescription)
        }
    }

    /// Notes how far the server's clock is ahead of this one, where that is more than a minute.
    private func hear(_ date: String?) throws {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard let at = format.date(from: date ?? "") else { return }
        let ahead = at.timeIntervalSinceNow
        try store.set("wf-ahead", try JSONEncoder().encode(abs(ahead) > 60 ? ahead : 0))
    }

    // MARK: Clocking in and out

    /// Keeps a clock event until the server has it. It is on the disk when this returns; send sends it.
    public func clock(_ event: ClockEvent) throws -> Waiting {
        let userId = kept().userId
        if userId.isEmpty { throw SignInNeeded() }
        let ahead = store.get("wf-ahead").flatMap { try? JSONDecoder().decode(Double.self, from: $0) } ?? 0
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        let recordedAt = format.string(from: Date(timeIntervalSinceNow: ahead))
        let body = Body(
            employeeShiftId: event.employeeShiftId, addressId: event.addressId, latitude: event.latitude,
            longitude: event.longitude, accuracy: event.accuracy, note: event.note, recordedAt: recordedAt)
        let waiting = Waiting(
            id: UUID().uuidString, userId: userId, kind: event.kind, recordedAt: recordedAt,
            body: try JSONEncoder().encode(body))
        let last = names().last.flatMap { Int($0.split(separator: "/")[1]) } ?? 0
        try write(waiting, to: "wf-clock/\(String(format: "%09d", last + 1))/\(waiting.id)")
        return waiting
    }

    /// The events of who is signed in, or was last, oldest first; refused ones too.
    public func waiting() -> [Waiting] {
        let all = names().compactMap { store.get($0) }.compactMap { try? JSONDecoder().decode(Waiting.self, from: $0) }
        return all.filter { $0.userId == kept().userId }
    }

    /// Forgets a refused event, since the person has seen why.
    public func seen(_ id: String) throws {
        for name in names() where name.hasSuffix(id) { try store.set(name, nil) }
    }

    /// Sends what waits, oldest first. Fails with what keeps it from going on; all that is not sent is kept.
    public func send() async throws {
        let before = sending
        let task = Task {
            _ = await before?.result
            try await self.sendAll()
        }
        sending = task
        try await task.value
    }

    /// Sends what waits, again and again while the failure passes. A BGTask calls send, and asks for another turn.
    public func sendUntilDone() async throws {
        try await retry(.max) { try await self.send() }
    }

    private func sendAll() async throws {
        while var next = waiting().first(where: { $0.refused == nil }) {
            do {
                let path = next.kind == .clockIn ? "/attendance/clockIn" : "/attendance/clockOut"
                let taken: Taken = try await call("POST", path, body: next.body, key: next.id)
                if taken.clockedIn != true && taken.clockedOut != true { throw ApiError.noAnswer("no answer of ours") }
                try seen(next.id)
            } catch let error as ApiError where error.refuses {
                next.refused = Waiting.Refusal(code: error.code, detail: error.detail)
                if let name = names().first(where: { $0.hasSuffix(next.id) }) { try write(next, to: name) }
            }
        }
    }

    private func write(_ waiting: Waiting, to name: String) throws {
        try store.set(name, try JSONEncoder().encode(waiting))
    }

    /// The names of all events, oldest first.
    private func names() -> [String] { store.names().filter { $0.hasPrefix("wf-clock/") }.sorted() }

    /// Repeats work while its failure passes: after Retry-After, else after about 1, 2, 4 … 300 seconds.
    private func retry(_ times: Int, _ work: () async throws -> Void) async throws {
        var seconds = 1.0
        for _ in 1..<times {
            do {
                return try await work()
            } catch let error as ApiError where error.passes {
                let pause = max(error.retryAfter, seconds * Double.random(in: 0.5...1)) // not all phones at once
                try await Task.sleep(nanoseconds: UInt64(pause * 1_000_000_000))
                seconds = min(2 * seconds, 300)
            }
        }
        try await work()
    }
}
