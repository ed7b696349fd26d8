package workforce

import org.json.JSONArray
import org.json.JSONException
import org.json.JSONObject
import org.json.JSONTokener
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.text.ParseException
import java.text.SimpleDateFormat
import java.time.Instant
import java.util.Locale
import java.util.UUID

/** What the client keeps and finds again after a restart: on Android SharedPreferences, with commit(). */
interface Store {
    fun get(name: String): String?

    /** It is on the disk when this returns. Null removes it. */
    fun set(name: String, text: String?)

    fun names(): Collection<String>
}

/** What somebody does at a clock: position in degrees, accuracy in metres. */
class ClockEvent(
    val clockIn: Boolean,
    val employeeShiftId: String,
    val addressId: String,
    val latitude: String,
    val longitude: String,
    val accuracy: Double? = null,
    val note: String? = null
)

/** A clock event that the server has not taken. */
class Waiting(val name: String, private val json: JSONObject) {
    /** Its Idempotency-Key. */
    val id: String get() = json.getString("id")
    val userId: String get() = json.getString("userId")
    val clockIn: Boolean get() = json.getBoolean("clockIn")
    val recordedAt: String get() = json.getString("recordedAt")

    /** The request, the same with each sending. */
    val body: String get() = json.getString("body")

    /** Why the server refused it, until the person has seen that: code and detail. */
    val refused: JSONObject? get() = json.optJSONObject("refused")

    internal fun refusedBy(error: ApiError): String {
        val why = JSONObject().put("code", error.code).put("detail", error.message)
        return JSONObject(json.toString()).put("refused", why).toString()
    }
}

/** An answer that is no success. Without a code it does not come from the server: there was none, or a proxy's. */
class ApiError(
    val status: Int,
    val code: String,
    detail: String,
    /** In seconds; 0 where the server does not say. */
    val retryAfter: Long = 0,
    val meta: JSONObject = JSONObject()
) : Exception(detail) {
    /** Whether the same request may succeed later. */
    val passes: Boolean
        get() = code == "" || status == 429 || status >= 500 || code == "IDEMPOTENCY_IN_PROGRESS"

    /** Whether a clock event is refused for good. */
    val refuses: Boolean
        get() = !passes && status in listOf(404, 409, 422)
}

/** The person has to sign in again. What waits is kept for them. */
class SignInNeeded : Exception("sign in again")

/**
 * The client of a phone. Its functions wait for the network: call them from a worker, or in
 * withContext(Dispatchers.IO). One instance for the whole app.
 */
class Workforce(
    /** The address of the server, as in https://api.contoh.id. */
    private val server: String,
    private val store: Store,
    private val appVersion: String,
    /** id or en. */
    private val language: String,
    private val now: () -> Long = System::currentTimeMillis
) {
    private var userToken = ""
    private val refreshing = Any()
    private val sending = Any()

    // Signing in

    /** Signs in; true, or false where a code was sent that verify takes. */
    fun signIn(username: String, password: String): Boolean {
        val body = JSONObject().put("username", username).put("password", password).toString()
        val login = { request("POST", "/user/login", mapOf("X-Device-Token" to device()), body) as JSONObject }
        val answer = try {
            login()
        } catch (error: ApiError) {
            if (error.meta.optString("token") != "device") throw error
            store.set("wf-device", null) // revoked: the phone is another one from now on
            login()
        }
        userToken = answer.getString("userToken")
        if (answer.getBoolean("verified")) begin()
        return answer.getBoolean("verified")
    }

    /** Completes a sign-in with the code that was sent. */
    fun verify(code: String) {
        val tokens = mapOf("X-Device-Token" to device(), "x-User-Token" to userToken)
        request("POST", "/authorize/verify", tokens, JSONObject().put("otp", code).toString())
        begin()
    }

    /** Ends the session. What waits is kept, and sent when the same person signs in again. */
    fun signOut() {
        call("POST", "/user/logout")
        end()
    }

    private fun device(): String {
        store.get("wf-device")?.let { return it }
        val body = JSONObject().put("deviceId", UUID.randomUUID().toString()).put("platform", "android")
        val answer = request("POST", "/device/register", mapOf(), body.toString()) as JSONObject
        return answer.getString("deviceToken").also { store.set("wf-device", it) }
    }

    /** Gets the first tokens; asking for them again is safe. */
    private fun begin() = retry(5) {
        val pair = request("GET", "/authorize/access-token", mapOf("x-User-Token" to userToken)) as JSONObject
        val bearer = mapOf("Authorization" to "Bearer " + pair.getString("accessToken"))
        val info = request("GET", "/user/token-info", bearer) as JSONObject
        store.set("wf-session", pair.put("userId", info.getString("userId")).toString())
    }

    /** Forgets the tokens, and not who it was. */
    private fun end() = store.set("wf-session", JSONObject().put("userId", who()).toString())

    // Requests

    /**
     * Sends a request in the session: a JSONObject or a JSONArray. One with a key is done once, however
     * often it is sent.
     */
    fun call(method: String, path: String, body: String? = null, key: String? = null): Any {
        val who = who()
        var first = true
        while (true) {
            val session = session()
            if (session.getString("userId") != who) throw SignInNeeded() // somebody else, meanwhile
            val accessToken = session.getString("accessToken")
            val headers = mutableMapOf("Authorization" to "Bearer $accessToken")
            if (key != null) headers["Idempotency-Key"] = key
            try {
                return request(method, path, headers, body)
            } catch (error: ApiError) {
                if (!first || error.code != "UNAUTHENTICATED") throw error
                first = false
                synchronized(refreshing) { retry(5) { refresh(accessToken) } }
            }
        }
    }

    private fun kept() = JSONObject(store.get("wf-session") ?: "{}")

    private fun session() = kept().also { if (!it.has("accessToken")) throw SignInNeeded() }

    private fun who(): String = kept().optString("userId")

    /**
     * Replaces the tokens, unless another thread did. Within a minute the server gives the same tokens
     * again: that covers an answer that was lost.
     */
    private fun refresh(refused: String) {
        val session = session()
        if (session.getString("accessToken") != refused) return
        try {
            val tokens = mapOf("x-Refresh-Token" to session.getString("refreshToken"))
            val pair = request("GET", "/authorize/refresh-token", tokens) as JSONObject
            if (session().getString("accessToken") != refused) return
            store.set("wf-session", pair.put("userId", session.getString("userId")).toString())
        } catch (error: ApiError) {
            if (error.code != "UNAUTHENTICATED") throw error
            if (session().getString("accessToken") != refused) return
            end()
            throw SignInNeeded()
        }
    }

    /** Sends one request, and waits for its answer. Where a connection breaks, HttpURLConnection may send it again. */
    private fun request(method: String, path: String, tokens: Map<String, String>, body: String? = null): Any {
        val connection = URL(server + path).openConnection() as HttpURLConnection
        try {
            connection.requestMethod = method
            connection.connectTimeout = PATIENCE
            connection.readTimeout = PATIENCE
            connection.setRequestProperty("Content-Type", "application/json")
            connection.setRequestProperty("X-App-Version", appVersion)
            connection.setRequestProperty("X-Language", language)
            tokens.forEach { (name, value) -> connection.setRequestProperty(name, value) }
            if (body != null) {
                connection.doOutput = true
                connection.outputStream.use { it.write(body.toByteArray()) }
            }
            val status = connection.responseCode
            val stream = if (status < 400) connection.inputStream else connection.errorStream
            val answer = JSONTokener(stream?.bufferedReader()?.use { it.readText() } ?: "").nextValue()
            if (status in 200..299 && (answer is JSONObject || answer is JSONArray)) {
                hear(connection.getHeaderField("Date"))
                return answer
            }
            val problem = answer as? JSONObject ?: throw JSONException("no answer of ours")
            val retryAfter = connection.getHeaderField("Retry-After")?.toLongOrNull() ?: 0
            val meta = problem.optJSONObject("meta") ?: JSONObject()
            throw ApiError(status, problem.optString("code"), problem.optString("detail"), retryAfter, meta)
        } catch (cause: IOException) {
            throw ApiError(0, "", cause.toString()) // no network
        } catch (cause: JSONException) {
            throw ApiError(0, "", cause.toString()) // no answer of ours
        } finally {
            connection.disconnect()
        }
    }

    /** Notes how far the server's clock is ahead of this one, where that is more than a minute. */
    private fun hear(date: String?) {
        try {
            val ahead = SimpleDateFormat("EEE, dd MMM yyyy HH:mm:ss zzz", Locale.US).parse(date ?: "")!!.time - now()
            store.set("wf-ahead", (if (Math.abs(ahead) > 60_000) ahead else 0).toString())
        } catch (unread: ParseException) {
            return
        }
    }

    // Clocking in and out

    /** Keeps a clock event until the server has it. It is on the disk when this returns; send sends it. */
    fun clock(event: ClockEvent): Waiting {
        val userId = who()
        if (userId == "") throw SignInNeeded()
        val ahead = store.get("wf-ahead")?.toLong() ?: 0
        val recordedAt = Instant.ofEpochMilli(now() + ahead).toString()
        val body = JSONObject().put("employeeShiftId", event.employeeShiftId).put("addressId", event.addressId)
            .put("latitude", event.latitude).put("longitude", event.longitude)
            .putOpt("accuracy", event.accuracy).putOpt("note", event.note).put("recordedAt", recordedAt)
        val id = UUID.randomUUID().toString()
        val json = JSONObject().put("id", id).put("userId", userId).put("clockIn", event.clockIn)
            .put("recordedAt", recordedAt).put("body", body.toString())
        val last = names().lastOrNull()?.split("/")?.get(1)?.toInt() ?: 0
        val name = "wf-clock/%09d/%s".format(Locale.US, last + 1, id)
        store.set(name, json.toString())
        return Waiting(name, json)
    }

    /** The events of who is signed in, or was last, oldest first; refused ones too. */
    fun waiting(): List<Waiting> =
        names().mapNotNull { name -> store.get(name)?.let { Waiting(name, JSONObject(it)) } }.filter { it.userId == who() }

    /** Forgets a refused event, since the person has seen why. */
    fun seen(waiting: Waiting) = store.set(waiting.name, null)

    /** Sends what waits, oldest first. Fails with what keeps it from going on; all that is not sent is kept. */
    fun send(): Unit = synchronized(sending) {
        while (true) {
            val next = waiting().firstOrNull { it.refused == null } ?: return
            try {
                val path = if (next.clockIn) "/attendance/clockIn" else "/attendance/clockOut"
                val answer = call("POST", path, next.body, next.id) as? JSONObject ?: JSONObject()
                if (!answer.optBoolean("clockedIn") && !answer.optBoolean("clockedOut")) {
                    throw ApiError(0, "", "no answer of ours")
                }
                store.set(next.name, null)
            } catch (error: ApiError) {
                if (!error.refuses) throw error
                store.set(next.name, next.refusedBy(error))
            }
        }
    }

    /** Sends what waits, again and again while the failure passes. A Worker calls send, and answers Result.retry(). */
    fun sendUntilDone() = retry(Int.MAX_VALUE) { send() }

    /** The names of all events, oldest first. */
    private fun names(): List<String> = store.names().filter { it.startsWith("wf-clock/") }.sorted()

    /** Repeats work while its failure passes: after Retry-After, else after about 1, 2, 4 … 300 seconds. */
    private fun <Result> retry(times: Int, work: () -> Result): Result {
        var seconds = 1.0
        for (n in 1 until times) {
            try {
                return work()
            } catch (error: ApiError) {
                if (!error.passes) throw error
                val pause = seconds * (0.5 + Math.random() / 2) // not all phones at once
                Thread.sleep((1_000 * maxOf(error.retryAfter.toDouble(), pause)).toLong())
                seconds = minOf(2 * seconds, 300.0)
            }
        }
        return work()
    }

    private companion object {
        /** How long an answer is waited for, in milliseconds: a refresh must fit twice into a minute. */
        const val PATIENCE = 15_000
    }
}
