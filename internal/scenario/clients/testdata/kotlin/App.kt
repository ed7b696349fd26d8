// An app as ../node/app.mjs is one, around the client in Kotlin.
package workforce

import org.json.JSONArray
import org.json.JSONObject
import java.io.File
import java.io.IOException
import java.net.URLDecoder
import java.net.URLEncoder
import java.nio.file.Files
import java.nio.file.StandardCopyOption
import kotlin.concurrent.thread

private class Folder(private val path: File) : Store {
    private fun file(name: String) = File(path, URLEncoder.encode(name, "UTF-8"))

    override fun get(name: String): String? = try {
        file(name).readText()
    } catch (none: IOException) {
        null
    }

    override fun set(name: String, text: String?) {
        if (text == null) {
            file(name).delete()
            return
        }
        val made = File.createTempFile(".new", "", path)
        made.writeText(text)
        Files.move(made.toPath(), file(name).toPath(), StandardCopyOption.ATOMIC_MOVE)
    }

    override fun names() = (path.list() ?: arrayOf()).filter { !it.startsWith(".") }.map { URLDecoder.decode(it, "UTF-8") }
}

private var ahead = 0L

private fun told(w: Waiting) = JSONObject().put("id", w.id).put("kind", if (w.clockIn) "in" else "out")
    .put("recordedAt", w.recordedAt).putOpt("refused", w.refused)

private fun run(client: Workforce, method: String, args: JSONArray): Any? = when (method) {
    "pass" -> ahead += 1_000 * args.getLong(2)
    "profile" -> client.call("GET", "/user/profile")
    "signIn" -> if (client.signIn(args.getString(2), args.getString(3))) "signed in" else "code"
    "verify" -> client.verify(args.getString(2))
    "clock" -> {
        val e = args.getJSONObject(2)
        told(client.clock(ClockEvent(e.getString("kind") == "in", e.getString("employeeShiftId"), e.getString("addressId"),
            e.getString("latitude"), e.getString("longitude"), e.getDouble("accuracy"))))
    }
    "waiting" -> JSONArray(client.waiting().map { told(it) })
    "seen" -> client.waiting().filter { it.id == args.getString(2) }.forEach { client.seen(it) }
    "send" -> client.send()
    "sendUntilDone" -> client.sendUntilDone()
    else -> throw IllegalArgumentException(method)
}

fun main(args: Array<String>) {
    val client = Workforce(args[0], Folder(File(args[1])), "2.3.0", "en", { System.currentTimeMillis() + ahead })
    while (true) {
        val call = JSONArray(readLine() ?: return)
        thread {
            val answer = JSONArray().put(call.getInt(0))
            try {
                val result = run(client, call.getString(1), call)
                answer.put("ok").put(if (result == Unit || result == null) JSONObject.NULL else result)
            } catch (error: Exception) {
                answer.put(error.javaClass.simpleName).put(error.toString())
            }
            synchronized(client) { println(answer) }
        }
    }
}
