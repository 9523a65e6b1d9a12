from neonize._protobuf import message

MessageKey = message("MessageKey", remoteJID="", fromMe=False, ID="", participant="")
Message = message("Message")
ContextInfo = message("ContextInfo", stanzaID="", participant="", remoteJID="", quotedMessage=Message)
_FILE = {
    "URL": "", "mimetype": "", "fileSHA256": b"", "fileLength": 0, "mediaKey": b"", "fileEncSHA256": b"",
    "directPath": "", "contextInfo": ContextInfo,
}  # fmt: skip
ExtendedTextMessage = message("ExtendedTextMessage", text="", JPEGThumbnail=b"", contextInfo=ContextInfo)
ImageMessage = message("ImageMessage", **_FILE, caption="", JPEGThumbnail=b"", width=0, height=0)
VideoMessage = message("VideoMessage", **_FILE, caption="", JPEGThumbnail=b"", seconds=0)
AudioMessage = message("AudioMessage", **_FILE, seconds=0, PTT=False)
DocumentMessage = message("DocumentMessage", **_FILE, caption="", fileName="", title="", JPEGThumbnail=b"")
StickerMessage = message("StickerMessage", **_FILE)
LocationMessage = message(
    "LocationMessage", degreesLatitude=0.0, degreesLongitude=0.0, name="", address="", contextInfo=ContextInfo
)
ContactMessage = message("ContactMessage", displayName="", vcard="", contextInfo=ContextInfo)
ReactionMessage = message("ReactionMessage", key=MessageKey, text="", senderTimestampMS=0)
MessageContextInfo = message("MessageContextInfo", messageSecret=b"")
ButtonsResponseMessage = message("ButtonsResponseMessage", selectedDisplayText="")
TemplateButtonReplyMessage = message("TemplateButtonReplyMessage", selectedDisplayText="")
ListResponseMessage = message("ListResponseMessage", title="")
ProtocolMessage = message("ProtocolMessage", key=MessageKey, type=0, editedMessage=Message, timestampMS=0)
Message.FIELDS.update(
    protocolMessage=ProtocolMessage,
    conversation="",
    extendedTextMessage=ExtendedTextMessage,
    imageMessage=ImageMessage,
    videoMessage=VideoMessage,
    ptvMessage=VideoMessage,
    audioMessage=AudioMessage,
    documentMessage=DocumentMessage,
    stickerMessage=StickerMessage,
    locationMessage=LocationMessage,
    contactMessage=ContactMessage,
    reactionMessage=ReactionMessage,
    messageContextInfo=MessageContextInfo,
    buttonsResponseMessage=ButtonsResponseMessage,
    templateButtonReplyMessage=TemplateButtonReplyMessage,
    listResponseMessage=ListResponseMessage,
)
