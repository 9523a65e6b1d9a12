from neonize._protobuf import Enum, message
from neonize.proto.waE2E.WAWebProtobufsE2E_pb2 import Message as E2E
from neonize.proto.waE2E.WAWebProtobufsE2E_pb2 import MessageKey

JID = message("JID", User="", RawAgent=0, Device=0, Integrator=0, Server="", IsEmpty=False)
ConnectFailureReason = Enum(
    GENERIC=1, LOGGED_OUT=2, TEMP_BANNED=3, MAIN_DEVICE_GONE=4, UNKNOWN_LOGOUT=5, CLIENT_OUTDATED=6,
    BAD_USER_AGENT=7, INTERNAL_SERVER_ERROR=8, EXPERIMENTAL=9, SERVICE_UNAVAILABLE=10,
)  # fmt: skip
MessageSource = message(
    "MessageSource", Chat=JID, Sender=JID, IsFromMe=False, IsGroup=False, SenderAlt=JID, RecipientAlt=JID
)
MessageInfo = message(
    "MessageInfo", MessageSource=MessageSource, ID="", Type="", Pushname="", Timestamp=0, Category="", Edit=""
)
Message = message("Message", Info=MessageInfo, IsEdit=False, Message=E2E)
Receipt = message("Receipt", MessageSource=MessageSource, MessageIDs=[""], Timestamp=0, Type=0)
for _name, _number in {
    "DELIVERED": 1, "SENDER": 2, "RETRY": 3, "READ": 4, "READ_SELF": 5, "PLAYED": 6, "PLAYED_SELF": 7,
    "SERVER_ERROR": 8, "INACTIVE": 9, "PEER_MSG": 10, "HISTORY_SYNC": 11,
}.items():  # fmt: skip
    setattr(Receipt, _name, _number)
LoggedOut = message("LoggedOut", OnConnect=False, Reason=0)
TemporaryBan = message("TemporaryBan", Code=0, Expire=0)
TemporaryBan.TempBanReason = Enum(
    SEND_TO_TOO_MANY_PEOPLE=1, BLOCKED_BY_USERS=2, CREATED_TOO_MANY_GROUPS=3, SENT_TOO_MANY_SAME_MESSAGE=4,
    BROADCAST_LIST=5,
)  # fmt: skip
ConnectFailure = message("ConnectFailure", Reason=0, Message="")
StreamError = message("StreamError", Code="")
PairStatus = message("PairStatus", ID=JID, BusinessName="", Platform="", Status=0, Error="")
PairStatus.ERROR, PairStatus.SUCCESS = 1, 2
Connected = message("Connected", status=False)
Disconnected = message("Disconnected", status=False)
KeepAliveTimeout = message("KeepAliveTimeout", ErrorCount=0, LastSuccess=0)
KeepAliveRestored = message("KeepAliveRestored")
StreamReplaced = message("StreamReplaced")
ClientOutdated = message("ClientOutdated")
Device = message("Device", JID=JID, LID=JID, Platform="", BussinessName="", PushName="", Initialized=False)
WebMessageInfo = message(
    "WebMessageInfo", key=MessageKey, message=E2E, messageTimestamp=0, status=0, participant="", pushName=""
)
HistorySyncMsg = message("HistorySyncMsg", message=WebMessageInfo, msgOrderID=0)
Conversation = message("Conversation", ID="", pnJID="", name="", messages=[HistorySyncMsg])
HistorySync = message(
    "HistorySync", Data=message("HistorySyncData", syncType=0, conversations=[Conversation])
)
IsOnWhatsAppResponse = message("IsOnWhatsAppResponse", Query="", JID=JID, IsIn=False)
SendResponse = message("SendResponse", Timestamp=0, ID="", ServerID=0)
UploadResponse = message(
    "UploadResponse",
    url="",
    DirectPath="",
    Handle="",
    MediaKey=b"",
    FileEncSHA256=b"",
    FileSHA256=b"",
    FileLength=0,
)
ProfilePictureInfo = message("ProfilePictureInfo", URL="", ID="", Type="", DirectPath="")
GetProfilePictureParams = message("GetProfilePictureParams", Preview=False, ExistingID="", IsCommunity=False)
ContactInfo = message("ContactInfo", Found=False, FirstName="", FullName="", PushName="", BusinessName="")
UserInfo = message("UserInfo", Status="", PictureID="")
GetUserInfoSingleReturnFunction = message("GetUserInfoSingleReturnFunction", JID=JID, UserInfo=UserInfo)
GroupName = message("GroupName", Name="", NameSetAt=0)
GroupInfo = message("GroupInfo", JID=JID, GroupName=GroupName)
